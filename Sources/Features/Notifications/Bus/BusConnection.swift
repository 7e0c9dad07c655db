import Basics
import Foundation
import Glibc

/// The reason why the session bus cannot be used.
package enum BusFailure: Error, Hashable, Sendable {
  /// There is neither `DBUS_SESSION_BUS_ADDRESS` nor a socket in `XDG_RUNTIME_DIR`.
  case noBus
  /// No address of the bus is a Unix socket, the only kind that is supported. The value is the kind of the
  /// first address, for example `tcp`.
  case unknownAddress(String)
  case cannotConnect(reason: String)
  /// The bus does not accept this user.
  case refused(String)
  /// The bus itself does not respond.
  case noAnswer
  /// The notification daemon does not respond.
  case noDaemonAnswer
  /// The notification daemon is reddot itself, which stores notifications but does not show them.
  case nobodyShows
  case closed
  /// The data received isn't D-Bus.
  case broken
  /// The response was an error, by name and text.
  case failed(name: String, text: String)
}

/// The address of the session bus.
package enum BusAddress {
  /// Returns the address from the variables of the environment.
  ///
  /// - Parameter exists: whether there is a socket at a path.
  package static func session(
    in variables: [String: String], exists: (String) -> Bool
  ) throws(BusFailure) -> String {
    if let address = variables["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
    if let directory = variables["XDG_RUNTIME_DIR"], !directory.isEmpty, exists(directory + "/bus") {
      return "unix:path=\(directory)/bus"
    }
    throw .noBus
  }

  /// Returns the path of the Unix socket in an address, or the name of an abstract socket, which begins with NUL.
  static func socketName(of address: String) throws(BusFailure) -> [UInt8] {
    // Only one of several addresses may be a Unix socket.
    for one in address.split(onBytes: ";") where one.hasPrefix("unix:") {
      for pair in one.dropFirst(5).split(onBytes: ",") {
        if pair.hasPrefix("path=") { return unescaped(pair.dropFirst(5)) }
        if pair.hasPrefix("abstract=") { return [0] + unescaped(pair.dropFirst(9)) }
      }
    }
    throw .unknownAddress(String(address.prefix { $0 != ":" }))
  }

  /// Returns the bytes of a value in which some bytes are written as `%` and two hex digits.
  private static func unescaped(_ text: Substring) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}

/// A connection to the session bus, for one thread: calls block it.
///
/// It implements the protocol itself: notifications need only a few calls, and the start does not have to load a
/// library.
package final class BusConnection {
  package let descriptor: Int32
  /// The name of this connection on the bus.
  package private(set) var name = ""
  /// A monotonic clock.
  private let now: () -> Duration
  private var serial: UInt32 = 0
  private var received: [UInt8] = []
  /// The number of bytes that are still to be skipped at the end of a message that was too long.
  private var unwanted = 0
  /// The messages that `receive` will return, oldest first, with their sizes in bytes.
  private var waiting: [(message: BusMessage, bytes: Int)] = []
  private var waitingBytes = 0
  /// The number of bytes of the message that was received last.
  private var lastBytes = 0

  package static let bus = "org.freedesktop.DBus"
  package static let busPath = "/org/freedesktop/DBus"

  /// Connects, authenticates as the user of this process, and calls `Hello`, which gives the connection its name.
  ///
  /// - Parameter now: a monotonic clock, from any origin.
  package init(address: String, now: @escaping () -> Duration) throws(BusFailure) {
    self.now = now
    descriptor = try Self.connect(try BusAddress.socketName(of: address))
    do {
      try authenticate()
      name =
        try callBus("Hello").body.first?.text ?? ""
    } catch {
      close(descriptor)
      throw error
    }
  }

  deinit { close(descriptor) }

  private static func connect(_ name: [UInt8]) throws(BusFailure) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    // A bus that accepts no connections, or reads nothing, must not block this thread.
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    guard descriptor >= 0 else { throw .cannotConnect(reason: reason()) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard !name.isEmpty, name.count < room else {
      close(descriptor)
      throw .cannotConnect(reason: "its address is too long")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    // The length determines the end of an abstract name.
    let length = MemoryLayout.size(ofValue: address) - room + name.count + (name[0] == 0 ? 0 : 1)
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(length))
      }
    }
    guard code == 0 else {
      let reason = reason()
      close(descriptor)
      throw .cannotConnect(reason: reason)
    }
    return descriptor
  }

  private static func reason() -> String { String(cString: strerror(errno)) }

  /// Authenticates with SASL's EXTERNAL: the socket proves the identity of the user.
  private func authenticate() throws(BusFailure) {
    let user = String(getuid()).utf8.map { String($0, radix: 16) }.joined()
    try write(Array("\0AUTH EXTERNAL \(user)\r\n".utf8))
    let deadline = now() + Limits.busTime
    while !received.contains(UInt8(ascii: "\n")) {
      guard received.count < 1024 else { throw .broken }
      guard try read(until: deadline) else { throw .noAnswer }
    }
    let line = String(decoding: received.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
    guard line.hasPrefix("OK") else { throw .refused(line) }
    received = Array(received.drop { $0 != UInt8(ascii: "\n") }.dropFirst())
    try write(Array("BEGIN\r\n".utf8))
  }

  // MARK: - Messages

  /// Sends a message.
  ///
  /// - Returns: the message's serial number.
  @discardableResult
  package func send(_ message: BusMessage) throws(BusFailure) -> UInt32 {
    serial = serial == .max ? 1 : serial + 1
    var message = message
    message.serial = serial
    try write(message.bytes)
    return serial
  }

  /// Sends a call and waits for its response. Other messages that arrive meanwhile wait for `receive`.
  package func call(_ message: BusMessage) throws(BusFailure) -> BusMessage {
    let serial = try send(message)
    let isOfBus = message.destination == Self.bus
    let deadline = now() + (isOfBus ? Limits.busTime : Limits.daemonTime)
    while true {
      // The deadline also ends an endless stream of messages.
      guard now() < deadline, let answer = try next(until: deadline) else {
        throw isOfBus ? .noAnswer : .noDaemonAnswer
      }
      guard answer.answers == serial else {
        wait(answer)
        continue
      }
      guard answer.kind == .failure else { return answer }
      throw .failed(name: answer.errorName ?? "", text: answer.body.first?.text ?? "")
    }
  }

  /// Calls the bus itself.
  @discardableResult
  package func callBus(_ member: String, _ body: [BusValue] = []) throws(BusFailure) -> BusMessage {
    try call(.call(member, of: Self.bus, at: Self.busPath, to: Self.bus, body))
  }

  /// Turns the connection into a monitor: it receives other programs' messages that match the rules, and may not send
  /// any.
  package func becomeMonitor(_ rules: [String]) throws(BusFailure) {
    _ = try call(
      .call(
        "BecomeMonitor", of: Self.bus + ".Monitoring", at: Self.busPath, to: Self.bus,
        [.strings(rules), .uint32(0)]))
  }

  /// Keeps a message for `receive`. If there are too many messages or bytes, the oldest messages are dropped,
  /// since unread signals must not fill the memory.
  private func wait(_ message: BusMessage) {
    waiting.append((message, lastBytes))
    waitingBytes += lastBytes
    while waiting.count > Limits.busWaitingMessages || waitingBytes > Limits.busWaitingBytes {
      waitingBytes -= waiting.removeFirst().bytes
    }
  }

  /// Returns the next message that isn't a response to `call`, or `nil` if none arrived in that time. It does not wait
  /// if a message is already there.
  package func receive(within time: Duration) throws(BusFailure) -> BusMessage? {
    if !waiting.isEmpty {
      let first = waiting.removeFirst()
      waitingBytes -= first.bytes
      return first.message
    }
    return try next(until: now() + time)
  }

  /// Whether `receive` would return a message without waiting.
  package var hasWaiting: Bool { !waiting.isEmpty || BusMessage.isReadable(received) }

  /// Returns the next message, or `nil` if none arrived until the deadline.
  private func next(until deadline: Duration) throws(BusFailure) -> BusMessage? {
    while true {
      switch BusMessage.read(received) {
      case .message(let message, let length):
        unwanted = max(0, length - received.count)
        received.removeFirst(min(length, received.count))
        lastBytes = min(length, Limits.busMessageBytes)
        if let message { return message }
        // There may be any number of messages of unknown kinds.
        if now() >= deadline { return nil }
      case .incomplete: guard try read(until: deadline) else { return nil }
      case .broken: throw .broken
      }
    }
  }

  /// Reads the available bytes.
  ///
  /// - Returns: `false` if nothing arrived until the deadline.
  private func read(until deadline: Duration) throws(BusFailure) -> Bool {
    let left = max(.zero, deadline - now())
    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let milliseconds = Int32(clamping: Int64((left / .milliseconds(1)).rounded(.up)))
    let ready = poll(&wait, 1, milliseconds)
    if ready < 0, errno == EINTR { return true }
    guard ready > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
    if count < 0, errno == EINTR || errno == EAGAIN { return true }
    guard count > 0 else { throw .closed }
    let skipped = min(unwanted, count)
    unwanted -= skipped
    received += buffer[skipped..<count]
    return true
  }

  private func write(_ bytes: [UInt8]) throws(BusFailure) {
    let deadline = now() + Limits.busTime
    var rest = bytes[...]
    while !rest.isEmpty {
      let flags = Int32(MSG_NOSIGNAL)
      let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, flags) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        // The bus does not read our messages.
        let left = deadline - now()
        guard left > .zero else { throw .noAnswer }
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&wait, 1, Int32(clamping: Int64((left / .milliseconds(1)).rounded(.up))))
        continue
      }
      guard count > 0 else { throw .closed }
      rest = rest.dropFirst(count)
    }
  }
}
