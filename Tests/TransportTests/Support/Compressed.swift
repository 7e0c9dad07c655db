import Foundation

/// Bodies compressed by zlib itself, in every format that servers send.
enum Compressed {
  /// What most of them hold: 200 lines.
  static let text = (0..<200).map { index in
    "item \(index): \(index * index * 7919 % 1_000_003) feeds, 消息中心 \(index % 3 == 0 ? "○" : "●")\n"
  }.joined()

  /// `text` with dynamic codes.
  static let gzip = bytes(
    """
    H4sIAAAAAAAC/41ZPc5kRQzMOcUcgMBu/895+FbagAgugEiQCAg5BSJDZNwFwZ5jXW/5Jpsp8lb7tcsuV/l9/P7t25vcb3L78Pb2\
    zXdf3z798dOnH37/58/f/v3rx9vfv/781Uec0PutRufJoV++HDr3m2lWvj5le5We0tcB/X7TkyX++rLYY1NT8fpY3m+nQ9pfB619\
    QLeYvr6t77eQbCUPnfstXd2GpFa+5Fbk9XW6GEy0DkFBFwZ1MTMSd4Ewa5Mm9y0UEUcPyYouFtVadUhcgFEnWNgCZh1NoFWgkVHB\
    Knjh2NsqjBTxwrFFHEOeexYOn3OKxD0LR9upLnLfwqE9aqzJAEeqGUnzWTjGx5K9d+GwsHNY3MVjsd0LSdzF42ynFcH3oD1iOkme\
    DXhslou0kS0eqaJG4hraQ0ae5u/93OKRxyqLxAVThZsRfA3tIVLOvg/tkWeGcJUtHu0qzfK3eLiFCKkDWzzcKwlr+MKxtGxJiNkV\
    w0CbsZovHJMjRdLsgMPPdgi5z8FqStvIA2U/h4VdNGrpJQjXe4ENTA57LrrD0W4k7qKh5kmKNK7ZUe4E3Fg0YpZ0SRPFouF6loXI\
    fYZnuAsh51g0RsuChAVXhY+QLEeCS22UpQVcdZbrCVfFopE2zjgj5poxw2ZWCpRBm5K4idmRGewdCTg2yU7ykoYeF9cmcR3nUg97\
    x+LhUVTKZaLqVwuRas7FI7xPs/uAx5YL48gccOk5Tt5bi0fLGRa3IK10grVbLR6xepNwZKE7ZL+PdEeBq9JN2blA+vw4iwuychEh\
    3FeFdtNkXV4Lh9ZIEHgLo+McYyO1MTtaPQhJ9qV004W0UR+wUC0g5D6DgrVmEqcXjy7MXhJ38TjqycxJJ2iji74XeFhv3ZO4i4ft\
    9GASttEeqyEYvgNp5VZC2mgwPWq9GHnvnEu6sHIesNVyOJu9g+FR57k0eL8PbJUAjpxbOKaX/NhzwVYy6aRcBs7DmpHVQOiuLGVh\
    VeRyAMUU+4rcy2l5MScocOS9Wpd5I4H5OK70QodoV5oaFcgryVJnkQFKLXbM/cqikonpxQ6iSzLH6aMvR2hRzHdjiugkq2uFQ48c\
    2k8Ki24WyUSqwqOrLqczs6yX0ApRGjouaeS0yGDTY7ueaQ+FUXfZ2V4sNLRvLg3TG+faYKz7YpsOQR6frxLeI8Orj+tzgn1cCLOe\
    S+wMarj1llTm0hR2fatbmU1T+PX9QGEaWGHY6+hWOAt9qeDQYq0Fy74eIoRuljBYarKTrZbQMiYl7NVw7Ut5EQwZ2PZZLefBQmO/\
    2FU0Mnz7GN0XKIy7rbhxuk+DGs4d5AxBWPc0rDfZwUaV9fB8LzAnnAEN8362vYyVN9z7CgNN1lmw71l9KJPBv29cdbptdIjn6mFr\
    RDh43ynN5IHCw/eKYrpghYlfrlDKJ3Dx648OHR2w8S3znCYeu1PM/spJhvTl5FOCzv64FivyfPY/DmIPXEFNq8LML+fRZYPCzp8w\
    uh1Q+PktskMHJgz9JrHpMLocfY8dGhozZibpdh6eHkhTCGHqt6Wr6UEMmRPP9cQjNJCZOXR2wNdPdzVrLhj72ElIBSGc/Qp5U1Y9\
    sPYdS4/0G6+/JqHNZALM/Y7qpq++3H20s/8wCnsfselhFQ5/f8qHYg2Hv36IJQcGv8LpllEvh6/NdTUs/pk+dFRfHt9SaOSFZeR/\
    dBZMfpkOFepw+VHe7AeF9jVkLPqwGyGXpbmQgdHX6RgGNJz+mplOeiOobGmZfiJszMInrKcvr7/Hm5EozP56xkN/98Htd9nzH1uP\
    H2DolwoubucSZUeLHsSMWYVJpREs/5QNrW94flsAGS7w/CtkhP5snP+IbBiCcP12VonS0Nfwj+dL2UdobI1n9eDzGz8D8bpoqn4f\
    AAA=
    """)

  /// `text` as RFC 1950 wants `deflate` to be.
  static let zlib = bytes(
    """
    eNqNWT3OZEUMzDnFHIDAbv/PefhW2oAILoBIkAgIOQUiQ2TcBcGeY11v+SabKfJW+7XLLlf5ffz+7dub3G9y+/D29s13X98+/fHT\
    px9+/+fP3/7968fb37/+/NVHnND7rUbnyaFfvhw695tpVr4+ZXuVntLXAf1+05Ml/vqy2GNTU/H6WN5vp0PaXwetfUC3mL6+re+3\
    kGwlD537LV3dhqRWvuRW5PV1uhhMtA5BQRcGdTEzEneBMGuTJvctFBFHD8mKLhbVWnVIXIBRJ1jYAmYdTaBVoJFRwSp44djbKowU\
    8cKxRRxDnnsWDp9zisQ9C0fbqS5y38KhPWqsyQBHqhlJ81k4xseSvXfhsLBzWNzFY7HdC0ncxeNspxXB96A9YjpJng14bJaLtJEt\
    HqmiRuIa2kNGnubv/dzikccqi8QFU4WbEXwN7SFSzr4P7ZFnhnCVLR7tKs3yt3i4hQipA1s83CsJa/jCsbRsSYjZFcNAm7GaLxyT\
    I0XS7IDDz3YIuc/BakrbyANlP4eFXTRq6SUI13uBDUwOey66w9FuJO6ioeZJijSu2VHuBNxYNGKWdEkTxaLhepaFyH2GZ7gLIedY\
    NEbLgoQFV4WPkCxHgkttlKUFXHWW6wlXxaKRNs44I+aaMcNmVgqUQZuSuInZkRnsHQk4NslO8pKGHhfXJnEd51IPe8fi4VFUymWi\
    6lcLkWrOxSO8T7P7gMeWC+PIHHDpOU7eW4tHyxkWtyCtdIK1Wy0esXqTcGShO2S/j3RHgavSTdm5QPr8OIsLsnIRIdxXhXbTZF1e\
    C4fWSBB4C6PjHGMjtTE7Wj0ISfaldNOFtFEfsFAtIOQ+g4K1ZhKnF48uzF4Sd/E46snMSSdoo4u+F3hYb92TuIuH7fRgErbRHqsh\
    GL4DaeVWQtpoMD1qvRh575xLurByHrDVcjibvYPhUee5NHi/D2yVAI6cWziml/zYc8FWMumkXAbOw5qR1UDorixlYVXkcgDFFPuK\
    3MtpeTEnKHDkvVqXeSOB+Tiu9EKHaFeaGhXIK8lSZ5EBSi12zP3KopKJ6cUOoksyx+mjL0doUcx3Y4roJKtrhUOPHNpPCotuFslE\
    qsKjqy6nM7Osl9AKURo6LmnktMhg02O7nmkPhVF32dleLDS0by4N0xvn2mCs+2KbDkEen68S3iPDq4/rc4J9XAiznkvsDGq49ZZU\
    5tIUdn2rW5lNU/j1/UBhGlhh2OvoVjgLfang0GKtBcu+HiKEbpYwWGqyk62W0DImJezVcO1LeREMGdj2WS3nwUJjv9hVNDJ8+xjd\
    FyiMu624cbpPgxrOHeQMQVj3NKw32cFGlfXwfC8wJ5wBDfN+tr2MlTfc+woDTdZZsO9ZfSiTwb9vXHW6bXSI5+pha0Q4eN8pzeSB\
    wsP3imK6YIWJX65Qyidw8euPDh0dsPEt85wmHrtTzP7KSYb05eRTgs7+uBYr8nz2Pw5iD1xBTavCzC/n0WWDws6fMLodUPj5LbJD\
    ByYM/Sax6TC6HH2PHRoaM2Ym6XYenh5IUwhh6relq+lBDJkTz/XEIzSQmTl0dsDXT3c1ay4Y+9hJSAUhnP0KeVNWPbD2HUuP9Buv\
    vyahzWQCzP2O6qavvtx9tLP/MAp7H7HpYRUOf3/Kh2INh79+iCUHBr/C6ZZRL4evzXU1LP6ZPnRUXx7fUmjkhWXkf3QWTH6ZDhXq\
    cPlR3uwHhfY1ZCz6sBshl6W5kIHR1+kYBjSc/pqZTnojqGxpmX4ibMzCJ6ynL6+/x5uRKMz+esZDf/fB7XfZ8x9bjx9g6JcKLm7n\
    EmVHix7EjFmFSaURLP+UDa1veH5bABku8PwrZIT+bJz/iGwYgnD9dlaJ0tDX8I/nS9lHaGyNZ/Xg8xs/AwHCacA=
    """)

  /// `text` as some servers send it.
  static let raw = bytes(
    """
    jVk9zmRFDMw5xRyAwG7/z3n4VtqACC6ASJAICDkFIkNk3AXBnmNdb/kmmynyVvu1yy5X+X38/u3bm9xvcvvw9vbNd1/fPv3x06cf\
    fv/nz9/+/evH29+//vzVR5zQ+61G58mhX74cOvebaVa+PmV7lZ7S1wH9ftOTJf76sthjU1Px+ljeb6dD2l8HrX1At5i+vq3vt5Bs\
    JQ+d+y1d3YakVr7kVuT1dboYTLQOQUEXBnUxMxJ3gTBrkyb3LRQRRw/Jii4W1Vp1SFyAUSdY2AJmHU2gVaCRUcEqeOHY2yqMFPHC\
    sUUcQ557Fg6fc4rEPQtH26kuct/CoT1qrMkAR6oZSfNZOMbHkr134bCwc1jcxWOx3QtJ3MXjbKcVwfegPWI6SZ4NeGyWi7SRLR6p\
    okbiGtpDRp7m7/3c4pHHKovEBVOFmxF8De0hUs6+D+2RZ4ZwlS0e7SrN8rd4uIUIqQNbPNwrCWv4wrG0bEmI2RXDQJuxmi8ckyNF\
    0uyAw892CLnPwWpK28gDZT+HhV00auklCNd7gQ1MDnsuusPRbiTuoqHmSYo0rtlR7gTcWDRilnRJE8Wi4XqWhch9hme4CyHnWDRG\
    y4KEBVeFj5AsR4JLbZSlBVx1lusJV8WikTbOOCPmmjHDZlYKlEGbkriJ2ZEZ7B0JODbJTvKShh4X1yZxHedSD3vH4uFRVMploupX\
    C5FqzsUjvE+z+4DHlgvjyBxw6TlO3luLR8sZFrcgrXSCtVstHrF6k3BkoTtkv490R4Gr0k3ZuUD6/DiLC7JyESHcV4V202RdXguH\
    1kgQeAuj4xxjI7UxO1o9CEn2pXTThbRRH7BQLSDkPoOCtWYSpxePLsxeEnfxOOrJzEknaKOLvhd4WG/dk7iLh+30YBK20R6rIRi+\
    A2nlVkLaaDA9ar0Yee+cS7qwch6w1XI4m72D4VHnuTR4vw9slQCOnFs4ppf82HPBVjLppFwGzsOakdVA6K4sZWFV5HIAxRT7itzL\
    aXkxJyhw5L1al3kjgfk4rvRCh2hXmhoVyCvJUmeRAUotdsz9yqKSienFDqJLMsfpoy9HaFHMd2OK6CSra4VDjxzaTwqLbhbJRKrC\
    o6supzOzrJfQClEaOi5p5LTIYNNju55pD4VRd9nZXiw0tG8uDdMb59pgrPtimw5BHp+vEt4jw6uP63OCfVwIs55L7AxquPWWVObS\
    FHZ9q1uZTVP49f1AYRpYYdjr6FY4C32p4NBirQXLvh4ihG6WMFhqspOtltAyJiXs1XDtS3kRDBnY9lkt58FCY7/YVTQyfPsY3Rco\
    jLutuHG6T4Mazh3kDEFY9zSsN9nBRpX18HwvMCecAQ3zfra9jJU33PsKA03WWbDvWX0ok8G/b1x1um10iOfqYWtEOHjfKc3kgcLD\
    94piumCFiV+uUMoncPHrjw4dHbDxLfOcJh67U8z+ykmG9OXkU4LO/rgWK/J89j8OYg9cQU2rwswv59Flg8LOnzC6HVD4+S2yQwcm\
    DP0msekwuhx9jx0aGjNmJul2Hp4eSFMIYeq3pavpQQyZE8/1xCM0kJk5dHbA1093NWsuGPvYSUgFIZz9CnlTVj2w9h1Lj/Qbr78m\
    oc1kAsz9juqmr77cfbSz/zAKex+x6WEVDn9/yodiDYe/foglBwa/wumWUS+Hr811NSz+mT50VF8e31Jo5IVl5H90Fkx+mQ4V6nD5\
    Ud7sB4X2NWQs+rAbIZeluZCB0dfpGAY0nP6amU56I6hsaZl+ImzMwiespy+vv8ebkSjM/nrGQ3/3we132fMfW48fYOiXCi5u5xJl\
    R4sexIxZhUmlESz/lA2tb3h+WwAZLvD8K2SE/myc/4hsGIJw/XZWidLQ1/CP50vZR2hsjWf14PMbPwM=
    """)

  /// `stored and named`, its header holding a file name.
  static let gzipNamed = bytes(
    """
    H4sICAAAAAAC/2ZlZWQueG1sACsuyS9KTVFIzEtRyEvMTU0BACeNm8gQAAAA
    """)

  /// `stored as it is`, not compressed at all.
  static let rawStored = bytes(
    """
    AQ8A8P9zdG9yZWQgYXMgaXQgaXM=
    """)

  /// `fixed codes, fixed codes, fixed codes`.
  static let rawFixed = bytes(
    """
    S8usSE1RSM5PSS3WUUjDwQEA
    """)

  /// 4 MiB of zeros, packed twice: gzip, gzip.
  static let bomb = bytes(
    """
    H4sIAAAAAAAC/5Pv5mAAAab/bw8yMgIZTQr/1+d5ODAyjIJRMApGwSgYBaNgFIyCUTAKRsEoGAWjYKiDGuksB3dBBgYHBgBISIN1\
    AhAAAA==
    """)

  private static func bytes(_ base64: String) -> [UInt8] { Array(Data(base64Encoded: base64) ?? Data()) }
}
