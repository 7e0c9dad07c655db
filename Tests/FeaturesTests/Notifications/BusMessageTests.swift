import Basics
import Foundation
import Testing

@testable import Notifications

/// The bytes of D-Bus.
struct BusMessageTests {
  static var notify: BusMessage {
    var message = BusMessage.call(
      "Notify", of: "org.freedesktop.Notifications", at: "/org/freedesktop/Notifications",
      to: "org.freedesktop.Notifications",
      [
        .string("reddot"), .uint32(0), .string(""), .string("Überschrift"), .string(""),
        .strings(["default", "Open"]),
        .dictionary([("urgency", .byte(1)), ("category", .string("im.received"))]),
        .int32(-1),
      ])
    message.serial = 7
    return message
  }

  @Test func whatIsWrittenIsRead() {
    let bytes = Self.notify.bytes
    #expect(BusMessage.read(bytes) == .message(Self.notify, length: bytes.count))
    #expect(Self.notify.body.map(\.signature).joined() == "susssasa{sv}i")
    #expect(BusMessage.read(bytes + bytes) == .message(Self.notify, length: bytes.count))
  }

  @Test func everyTypeSurvives() {
    var message = BusMessage(.signal)
    message.serial = 1
    message.path = "/a"
    message.body = [
      .byte(1), .boolean(true), .int16(-2), .uint16(3), .int32(-4), .uint32(5), .int64(-6), .uint64(7),
      .double(1.5), .string("é"), .objectPath("/x"), .signature("a{sv}"), .array("(yx)", []),
      .array("(yx)", [.structure([.byte(1), .int64(2)])]), .variant(.array("as", [.strings(["a", ""])])),
    ]
    #expect(BusMessage.read(message.bytes) == .message(message, length: message.bytes.count))
  }

  @Test func aMessageThatIsCutIsIncomplete() {
    let bytes = Self.notify.bytes
    for length in bytes.indices { #expect(BusMessage.read(Array(bytes[..<length])) == .incomplete) }
  }

  /// By hand, from the specification: a signal of a big-endian sender.
  @Test func theOtherByteOrderIsRead() {
    let bytes: [UInt8] =
      [UInt8(ascii: "B"), 4, 1, 1, 0, 0, 0, 8, 0, 0, 0, 9, 0, 0, 0, 16]
      + [8, 1, 103, 0, 2, 117, 117, 0] + [5, 1, 117, 0, 0, 0, 0, 3] + [0, 0, 0, 7, 0, 0, 0, 2]
    guard case .message(let message?, bytes.count) = BusMessage.read(bytes) else {
      Issue.record("\(BusMessage.read(bytes))")
      return
    }
    #expect(message.kind == .signal && message.serial == 9 && message.answers == 3)
    #expect(message.body == [.uint32(7), .uint32(2)])
  }

  @Test func noBytesAreATrap() {
    let bytes = Self.notify.bytes
    var outcomes: Set<Bool> = []
    for place in bytes.indices {
      for value in [0, 1, 0x28, 0x61, 0x7B, 0x7F, 0x80, 0xFF] as [UInt8] {
        var changed = bytes
        changed[place] = value
        if case .message = BusMessage.read(changed) { outcomes.insert(true) } else { outcomes.insert(false) }
      }
    }
    #expect(outcomes == [true, false])
  }

  @Test(arguments: ["a()", "(((((((((((((((((((((((y", "a", "a{", "{sv}x)", "vvv", "z", "ay", "()"])
  func noSignatureIsATrap(_ signature: String) {
    var reader = BusReader([UInt8](repeating: 1, count: 64), isBigEndian: false)
    _ = reader.values(signature)
    var zeroes = BusReader([UInt8](repeating: 0, count: 64), isBigEndian: true)
    _ = zeroes.values(signature)
    #expect(reader.position <= 72 && zeroes.position <= 72)
  }

  @Test func aLengthThatIsTooGreatIsBroken() {
    var bytes = Self.notify.bytes
    (bytes[4], bytes[7]) = (0xFF, 0xFF)
    #expect(BusMessage.read(bytes) == .broken)
    #expect(BusMessage.read(Array("HTTP/1.1 400 Bad Request\r\n".utf8)) == .broken)
  }

  // MARK: Addresses

  @Test func theSessionBusIsFoundByTheEnvironment() throws {
    let variables = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/x", "XDG_RUNTIME_DIR": "/run/user/1"]
    #expect(try BusAddress.session(in: variables, exists: { _ in true }) == "unix:path=/x")
    #expect(
      try BusAddress.session(in: ["XDG_RUNTIME_DIR": "/run/user/1"], exists: { $0 == "/run/user/1/bus" })
        == "unix:path=/run/user/1/bus")
    #expect(throws: BusFailure.noBus) {
      try BusAddress.session(in: ["XDG_RUNTIME_DIR": "/run/user/1"], exists: { _ in false })
    }
    #expect(throws: BusFailure.noBus) { try BusAddress.session(in: [:], exists: { _ in true }) }
  }

  @Test(arguments: [
    ("unix:path=/run/user/1000/bus", "/run/user/1000/bus"), ("unix:path=/a%20b,guid=0a", "/a b"),
    ("tcp:host=x;unix:guid=1,path=/p", "/p"), ("unix:path=/100%", "/100%"),
  ])
  func aSocketsNameIsRead(_ address: String, _ name: String) throws {
    #expect(try BusAddress.socketName(of: address) == Array(name.utf8))
  }

  @Test(arguments: ["tcp:host=localhost,port=1", "unixexec:path=x", "", "autolaunch:", "unix:runtime=yes"])
  func otherAddressesAreNamed(_ address: String) {
    #expect(throws: BusFailure.unknownAddress(String(address.prefix { $0 != ":" }))) {
      try BusAddress.socketName(of: address)
    }
  }

  // MARK: Notifications

  private func signal(
    _ member: String, _ body: [BusValue], of interface: String = "org.freedesktop.Notifications"
  )
    -> BusMessage
  {
    var message = BusMessage(.signal)
    (message.interface, message.member, message.body) = (interface, member, body)
    return message
  }

  @Test func whatADaemonReportsIsUnderstood() {
    #expect(
      DesktopNotifications.event(signal("ActionInvoked", [.uint32(3), .string("mark-read")]))
        == .pressed(3, .read))
    #expect(
      DesktopNotifications.event(signal("ActionInvoked", [.uint32(3), .string("default")]))
        == .pressed(3, .open))
    #expect(DesktopNotifications.event(signal("ActionInvoked", [.uint32(3), .string("rm -rf")])) == nil)
    #expect(DesktopNotifications.event(signal("ActionInvoked", [.uint32(3)])) == nil)
    #expect(
      DesktopNotifications.event(signal("NotificationClosed", [.uint32(3), .uint32(2)])) == .closed(3))
    #expect(
      DesktopNotifications.event(
        signal(
          "NameOwnerChanged", [.string("org.freedesktop.Notifications"), .string(":1.2"), .string("")],
          of: "org.freedesktop.DBus")) == .daemonChanged)
  }

  @Test func markupIsEscaped() {
    #expect("<b>&amp;".markupEscaped == "&lt;b&gt;&amp;amp;")
    // With a combining mark, the sign looks like another character, but it is still markup.
    #expect("<\u{338}b>".markupEscaped.utf8.elementsEqual("&lt;\u{338}b&gt;".utf8))
  }
}
