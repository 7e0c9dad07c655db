/// Reads server-sent events line by line (WHATWG HTML sections 9.2.5 and 9.2.6). Only their data is used: a poll
/// fetches the new messages, so names, ids and retry times are ignored.
struct EventStreamReader {
  private let limit: Int
  private var isAtStart = true
  /// The data of the event that has not ended yet, or `nil` if it has none so far.
  private var data: [UInt8]?

  /// - Parameter limit: the maximum number of bytes of one event's data.
  init(limit: Int) { self.limit = limit }

  /// - Returns: the data of an event that ends with this line.
  mutating func read(_ line: UnsafeRawBufferPointer) throws(LineSplitter.TooLong) -> String? {
    var line = line[...]
    if isAtStart {
      isAtStart = false
      if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    }
    if line.isEmpty {
      defer { data = nil }
      return data.map { String(decoding: $0.dropLast(), as: UTF8.self) }
    }
    // A comment has an empty name.
    let name = line.prefix { $0 != UInt8(ascii: ":") }
    guard name.elementsEqual("data".utf8) else { return nil }
    var value = line[name.endIndex...].dropFirst()
    if value.first == UInt8(ascii: " ") { value.removeFirst() }
    guard (data?.count ?? 0) + value.count < limit else { throw LineSplitter.TooLong() }
    data = data ?? []
    data?.append(contentsOf: value)
    data?.append(UInt8(ascii: "\n"))
    return nil
  }
}
