import Foundation

/// The poster of the demo's greeting: fireworks over a town with oil lamps, 128 by 72 pixels.
enum DemoPicture {
  /// The picture as PNG.
  static let festival = Data(base64Encoded: encoded, options: .ignoreUnknownCharacters) ?? Data()

  private static let encoded = """
    iVBORw0KGgoAAAANSUhEUgAAAIAAAABIBAMAAADMq+AhAAAAMFBMVEUKCB4WDjYoFFBCHGBuKFr/1lr/eDz/Rm543P+g/6r///88
    HhSWUCj/qjLIeP8eEBhrh20FAAAEjElEQVR42tWUv24bRxDG95oEYCHcHmBRYUFg93D6V9DAHRKVfgZS2NoQnyCSgRyQjn6AAKKR
    JhVPjQE+SwBXLgmKfIAtLKQLcZnZmbtbUqRkym6yEPXj983sd7tDSkJ8+wrgFW7jZLLVb8Fr0miHcMIUG2xNtvqdRld2ICZM0kXt
    P8cQSHI3DwJxEE7CVu23mrpAVDG7aO9De+/7raZe2eFTxIBddQhgSWxt6CA4uA+79wUE2HWf6VIkS5kHQftXTyO7dp3hel0QJMlc
    hu2Jpx3h4SPgH4t1n/uElGwj8zBsX3v6KwgzkNLJH6/lJJcSADlSFuR3bVUPJF5C1v1B4ShIykC2YduhxHI7l5Lb5IFdAI9QH1nb
    +DWFZCnDvJA/SHkVSrgFavK797A1kCMIsdLziR08gVsor4iHla456kzDwtM+qwBefc7BVTR2UchdSyhimymJbaa0ixGs6bRA2EVV
    bwgniFDmObBwNuh2fk1+DwaHnMIRoq61XHcndfukcFDy94+HV8BOAfpQneTX7FsmzBDiFrwtMbLyBSHqOHaiqJAJ6oh94hHwqNKw
    +5WJXhnSQgGpDXjXma5p5nvHU9bnuBtiqC4QUUHtMIWCWGml7AJ5itouyTcDeatMn+qC21UUDfv9Yjq9uxv0r5Qq2O/ZZXRE9Qhm
    6AjblRrzPghAtPPfHKOp08d5Tj5MHjmCbe/VuYXtePczFf0URXAJRTNQOsrz63MkbEtYK9bqlEk6MX3gX6CNQS3I1lyGFJV4GmmR
    I9Vbkk4GjmfKOAqtuR3ZdzysNbJnIxjhCFn54/PpWVWHGWhN24bIpNYVu0vdW2g4hm384q6uC4KO9BBOh6x0xd5C2aW2Wlunjbm9
    HcOHNR7/aQZa3wlNbR9zR7DUUOt2rtl3xIAl6QRGp3VnCj68jdwJ3MphyzG1w4K/Bfadhsf3lp72WQfAa6jdL8w5udFPrfF4XL0V
    Kb9xPHYpw1pvYzJmnVCA1jGX8RLIGB7vyP4GzSUeAV44w1QLZ6dYznX6i2s7uUm5fQsT2DcGftDGoBZcjmFwjic6vchRV/4GkwHy
    A2qDWqSgXfniRsdwiwt4fO7a2X9McxmP4QKkBSLmcpynkOPp7TSXiUnNgLQgvClxfYGAk3euLeX2LYTdP7+l/tQFoP2aA2AG77g9
    9kn1kvSgCaAZpFmMDavygduzR+QA1HTYul9QG7kPccbbNvlmRQFZ2gRQv8gybPPckrc5f60AVwCfs1wAzqDcteIsw/b1gKy+Dc0g
    y7yAVfVDC7dn2etVOS/xh7ws5khnP4DeegKorvBpdTtbeKqNM5W7r/DEmn9rwPYTzEtvABvXqR85X63NrAmYb5xwvnlcCpk/vggF
    rGb+M58Vc09QwGzmZe8nXMDqs5lV11s5UX8xQNQzaCpemwuYeRVO80X5lBBf1/ZMQPnZeJfbT3yngH+M92HtJ75TQPnW/4rtJcRq
    1qzyBUKUzft5+QIhyr/r9al8gRDlv7WAG+0vRBP3CWeytxBNnBvq3kLUij+cfYWoVP3x7im+4z/V/23AfwWmlaqyqu2BAAAAAElF
    TkSuQmCC
    """
}
