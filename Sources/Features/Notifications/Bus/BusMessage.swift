import Basics

/// A message of D-Bus (D-Bus Specification, "Message protocol").
package struct BusMessage: Hashable, Sendable {
  package enum Kind: UInt8, Hashable, Sendable {
    case call = 1
    case answer, failure, signal
  }

  package var kind: Kind
  /// The serial number, from 1; the sender sets it.
  package var serial: UInt32 = 0
  /// Whether the sender wants no response.
  package var wantsNoAnswer = false
  package var path: String?
  package var interface: String?
  package var member: String?
  /// The name of the error, for a failure.
  package var errorName: String?
  /// The serial number of the call that this message answers.
  package var answers: UInt32?
  package var destination: String?
  package var sender: String?
  package var body: [BusValue] = []
  /// Whether the end of the body is missing, because it is longer than the limit or too deeply nested.
  package var isCut = false

  package init(_ kind: Kind) { self.kind = kind }

  package static func call(
    _ member: String, of interface: String, at path: String, to destination: String,
    _ body: [BusValue] = []
  ) -> BusMessage {
    var message = BusMessage(.call)
    (message.member, message.interface, message.path) = (member, interface, path)
    (message.destination, message.body) = (destination, body)
    return message
  }

  /// The encoded message.
  package var bytes: [UInt8] {
    var content = BusWriter()
    for value in body { content.write(value) }
    var fields: [BusValue] = []
    func add(_ code: UInt8, _ value: BusValue?) {
      if let value { fields.append(.structure([.byte(code), .variant(value)])) }
    }
    add(1, path.map(BusValue.objectPath))
    add(2, interface.map(BusValue.string))
    add(3, member.map(BusValue.string))
    add(4, errorName.map(BusValue.string))
    add(5, answers.map(BusValue.uint32))
    add(6, destination.map(BusValue.string))
    add(7, sender.map(BusValue.string))
    if !body.isEmpty { add(8, .signature(body.map(\.signature).joined())) }
    var writer = BusWriter()
    writer.raw([UInt8(ascii: "l"), kind.rawValue, wantsNoAnswer ? 1 : 0, 1])
    writer.integer(UInt32(content.bytes.count))
    writer.integer(serial)
    writer.write(.array("(yv)", fields))
    writer.align(8)
    writer.raw(content.bytes)
    return writer.bytes
  }

  package static func answer(_ call: BusMessage, _ body: [BusValue] = []) -> BusMessage {
    var message = BusMessage(.answer)
    (message.answers, message.destination, message.body) = (call.serial, call.sender, body)
    return message
  }

  package static func failure(_ name: String, _ text: String, of call: BusMessage) -> BusMessage {
    var message = BusMessage(.failure)
    (message.answers, message.destination) = (call.serial, call.sender)
    (message.errorName, message.body) = (name, [.string(text)])
    return message
  }

  package static func signal(
    _ member: String, of interface: String, at path: String, _ body: [BusValue]
  ) -> BusMessage {
    var message = BusMessage(.signal)
    (message.member, message.interface, message.path, message.body) = (member, interface, path, body)
    return message
  }

  /// The result of reading a message from the beginning of the received bytes.
  package enum Reading: Hashable, Sendable {
    /// A message, or `nil` for a well-formed message of an unknown kind or with a header that is too long. For a
    /// message longer than `Limits.busMessageBytes`, the beginning is enough; `length` is the length of the whole.
    case message(BusMessage?, length: Int)
    case incomplete
    /// The bytes are invalid, and nothing after them can be read either.
    case broken
  }

  package static func read(_ bytes: [UInt8]) -> Reading {
    guard bytes.count >= 16 else { return .incomplete }
    guard [UInt8(ascii: "l"), UInt8(ascii: "B")].contains(bytes[0]), bytes[3] == 1 else { return .broken }
    let isBigEndian = bytes[0] == UInt8(ascii: "B")
    var reader = BusReader(bytes, isBigEndian: isBigEndian, at: 4)
    guard let bodyLength = reader.integer(UInt32.self), let serial = reader.integer(UInt32.self),
      let fieldsLength = reader.integer(UInt32.self), bodyLength <= Limits.busLongestMessageBytes,
      fieldsLength <= Limits.busLongestMessageBytes
    else { return .broken }
    let bodyStart = (16 + Int(fieldsLength) + 7) / 8 * 8
    let length = bodyStart + Int(bodyLength)
    let kept = min(length, Limits.busMessageBytes)
    guard kept <= bytes.count else { return .incomplete }
    guard bodyStart <= kept else { return .message(nil, length: length) }
    guard let kind = Kind(rawValue: bytes[1]) else { return .message(nil, length: length) }
    var message = BusMessage(kind)
    message.serial = serial
    message.wantsNoAnswer = bytes[2] & 1 != 0
    let own = Array(bytes[..<kept])
    reader = BusReader(own, isBigEndian: isBigEndian, at: 12)
    guard let fields = reader.values("a(yv)"), case .array(_, let entries)? = fields.first else {
      return .broken
    }
    var signature = ""
    for entry in entries {
      guard case .structure(let parts) = entry, case .byte(let code)? = parts.first,
        case .variant(let value)? = parts.last
      else { return .broken }
      switch code {
      case 1: message.path = value.text
      case 2: message.interface = value.text
      case 3: message.member = value.text
      case 4: message.errorName = value.text
      case 5: message.answers = value.number
      case 6: message.destination = value.text
      case 7: message.sender = value.text
      case 8: signature = value.text ?? ""
      case _: break
      }
    }
    var content = BusReader(own, isBigEndian: isBigEndian, at: bodyStart)
    // Alignment counts from the start of the body, which itself begins at a multiple of 8.
    let (body, isWhole) = content.leadingValues(signature)
    (message.body, message.isCut) = (body, !isWhole)
    return .message(message, length: length)
  }

  /// Whether `read` would return anything other than `incomplete`.
  static func isReadable(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 16 else { return false }
    var reader = BusReader(bytes, isBigEndian: bytes[0] == UInt8(ascii: "B"), at: 4)
    guard let body = reader.integer(UInt32.self), reader.integer(UInt32.self) != nil,
      let fields = reader.integer(UInt32.self)
    else { return false }
    return bytes.count >= min((16 + Int(fields) + 7) / 8 * 8 + Int(body), Limits.busMessageBytes)
  }
}
