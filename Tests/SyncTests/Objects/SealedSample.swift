import Basics
import Testing

@testable import Sync

/// Objects that were sealed once with `key`, and opened by another implementation (Python's `cryptography` and `zlib`).
struct SealedSample: Sendable, CustomTestStringConvertible {
  var title: String
  var path: String
  var payload: [UInt8]
  var object: [UInt8]
  var acts: [Act]
  /// The distances from the first act of the acts that a later program must read again.
  var partial: [Int] = []

  var testDescription: String { title }

  /// - Throws: if the path isn't that of an object.
  var name: ObjectName {
    get throws { try #require(ObjectName(path: path)) }
  }

  static let key = SyncKey(fileText: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\n")
  static let keyText = "000G-40R4-0M30-E209-185G-R38E-1W81-24GK-2GAH-C5RR-34D1-P70X-3RFX-RATC"

  private static let mail = WireUID(syncAs: "mail")
  private static let ci = WireUID(shared: "ci")
  private static let stamp = Stamp(milliseconds: 1_795_600_000_000)
  private static let known = Act.Group(
    source: mail, field: .read, value: .integer(1), targets: [Act.Target(key: 7)])

  static let all: [SealedSample] = [
    SealedSample(
      title: "a marker",
      path: "00000000000000000000000000000000/000000000000-000000000000.ops",
      payload: bytes(
        """
        0180c8e690a13420353535353535353535353535353535353535353535353535353535353535353505302e332e30
        """),
      object: bytes(
        """
        72647379010000000000000000000000000000000000000000000000000000000000000000000000010101010101\
        0101010101010101010189774bbee07750704e3a00a978b767f51e728151265639a1ca7d165325393101a7b3ac08\
        b9ba396150
        """),
      acts: []),
    SealedSample(
      title: "star, snooze of occasions, undo",
      path: "101112131415161718191a1b1c1d1e1f/000000000001-000000000003.ops",
      payload: bytes(
        """
        0180c8e690a134066c6170746f7005302e332e306003808080a09ac384d101004d083deaefcf7c6af4d582581b38\
        d55b02000102020000000000000001ffffffffffffffff4d083deaefcf7c6af4d582581b38d55b210002137b2274\
        69746c65223a224772c3bcc39f65227d0100000000000000014508818080a09ac384d101008020a2f1055a809bc3\
        c6f87263663c5304010180ca84a5c268020000000000000007000000000000000900000000000000080000000000\
        0000003f0a828080a09ac384d101028020a2f1055a809bc3c6f87263663c53040100020000000000000007000000\
        000000000900000000000000080000000000000000
        """),
      object: bytes(
        """
        7264737901000000101112131415161718191a1b1c1d1e1f00000000000000010000000000000003020202020202\
        020202020202020202021a2d0e20dc8e3f88b6a89e3bdc02ddcb93d672688980e0703f8e519734dbdd704743012c\
        5fdfb1ccbb71a275c6e78e9fdd3ef6fb6a45d91d2d821563394656fc5846f9df6412a23e1605d0d5f8fb360a641a\
        b05b71607dd3aaffb8879c339d590794dbea360e94e8f3b8e713e726bb1552a4b580f5779a04ba9480b0434358d3\
        ab710c95fedb298b52842c1864616786bb81b095afcf36a94a23d86a56e5f4fd6851bc834127cc
        """),
      acts: [
        Act(
          kind: .star, stamp: stamp,
          groups: [
            Act.Group(
              source: mail, field: .starred, value: .integer(1),
              targets: [Act.Target(key: 1), Act.Target(key: .max)]),
            Act.Group(
              source: mail, field: .content, value: .bytes(Array(#"{"title":"Grüße"}"#.utf8)),
              targets: [Act.Target(key: 1)]),
          ]),
        Act(
          kind: .snooze, stamp: stamp.next,
          groups: [
            Act.Group(
              source: ci, field: .snoozed, value: .integer(1_795_603_600_000),
              targets: [Act.Target(key: 7, occasion: 9), Act.Target(key: 8)])
          ]),
        Act(
          kind: .undo, stamp: stamp.next.next, undoes: 2,
          groups: [
            Act.Group(
              source: ci, field: .snoozed, value: .none,
              targets: [Act.Target(key: 7, occasion: 9), Act.Target(key: 8)])
          ]),
      ]),
    SealedSample(
      title: "the largest and the smallest numbers",
      path: "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff/999999999999-999999999999.ops",
      payload: bytes(
        """
        01ffffffffffffffff7f0000a201ffffffffffffffffff01ffffffffffffffff3fffffffffffffffff7f8020a2f1\
        055a809bc3c6f87263663c53010001010100000000000000008020a2f1055a809bc3c6f87263663c53010001feff\
        ffffffffffffff010100000000000000008020a2f1055a809bc3c6f87263663c53010101ffffffffffffffffff01\
        010000000000000000ffffffffffffffff8020a2f1055a809bc3c6f87263663c532000020000
        """),
      object: bytes(
        """
        7264737901000000f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff000000e8d4a50fff000000e8d4a50fff030303030303\
        03030303030303030303c51ca9927d922bb14feae0552563387b4bf8497ccb516f7e0235391879b3346079bdafff\
        e96c433f2af71feff104ed6b60ae19de1945ae80aca9c7ebcbdb6f76e66a4767b8e14653d16aae66d0c8d6265566\
        33a0966e
        """),
      acts: [
        Act(
          kind: Act.Kind(rawValue: .max), stamp: Stamp(rawValue: Stamp.limit - 1), undoes: .max,
          groups: [
            Act.Group(source: ci, field: .read, value: .integer(-1), targets: [Act.Target(key: 0)]),
            Act.Group(source: ci, field: .read, value: .integer(.max), targets: [Act.Target(key: 0)]),
            Act.Group(
              source: ci, field: .read, value: .integer(.min), targets: [Act.Target(key: 0, occasion: .max)]),
            Act.Group(source: ci, field: .push, value: .bytes([]), targets: []),
          ])
      ]),
    SealedSample(
      title: "a field, a value and a flag of a later program",
      path: "101112131415161718191a1b1c1d1e1f/000000000004-000000000007.ops",
      payload: bytes(
        """
        0180c8e690a134066c6170746f7005302e332e305d0105004d083deaefcf7c6af4d582581b38d55b010001020100\
        000000000000074d083deaefcf7c6af4d582581b38d55b280002030102030100000000000000074d083deaefcf7c\
        6af4d582581b38d55b01000102010000000000000007360105004d083deaefcf7c6af4d582581b38d55b01000102\
        0100000000000000074d083deaefcf7c6af4d582581b38d55b020009010203450105004d083deaefcf7c6af4d582\
        581b38d55b010001020100000000000000074d083deaefcf7c6af4d582581b38d55b020201020100000000000000\
        070000000000000007200105004d083deaefcf7c6af4d582581b38d55b01000102010000000000000007
        """),
      object: bytes(
        """
        7264737901000000101112131415161718191a1b1c1d1e1f00000000000000040000000000000007040404040404\
        040404040404040404046ec06687deedc055b59d83e87c7e81525411db0b1df8221cedf5c21d66c9360531bdc103\
        86443f06f8eab38300534d88000ff764690a388e1b85130e300a8799843916f7b57f83e727fa99b6f23b0cc3c861\
        5f1723b086af30f7460633ee3248b675e0ca0cb15a56af9a
        """),
      acts: [
        Act(kind: .read, stamp: Stamp(rawValue: 5), groups: [known, known]),
        Act(kind: .read, stamp: Stamp(rawValue: 5), groups: [known]),
        Act(kind: .read, stamp: Stamp(rawValue: 5), groups: [known]),
        Act(kind: .read, stamp: Stamp(rawValue: 5), groups: [known]),
      ], partial: [0, 1, 2]),
  ]

  private static func bytes(_ hex: String) -> [UInt8] {
    guard let bytes = [UInt8](hex: hex.utf8) else { preconditionFailure("these aren't hex digits: \(hex)") }
    return bytes
  }
}
