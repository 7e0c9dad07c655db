import Foundation

/// Reads the rows of a database file page by page, without SQLite, which stops at the first unreadable page
/// (https://www.sqlite.org/fileformat2.html). Whatever a page contains, nothing is read beyond its end or that of the
/// file.
struct DatabasePages {
  enum Value: Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
  }

  /// A row: the rowid, or 0 in a table without one, and the values as stored.
  struct Row {
    var rowid: Int64
    var values: [Value]
    /// The numbers of the pages with its bytes: the page on which the row begins, then those on which it
    /// continues.
    var pages: [Int]
  }

  private let bytes: Data
  /// The write-ahead log, whose pages are newer and replace those of the file, or `nil` if there is none.
  private let log: LogFrames?
  let pageSize: Int
  /// The usable bytes of a page, without those at its end that SQLite reserves for extensions.
  private let usable: Int
  /// The number of pages.
  let count: Int

  /// Reads a file that may be damaged anywhere, even on its first page. If its header is damaged, or leads to
  /// no table `message`, the page size of the log or of reddot's databases is tried. Returns `nil` if the
  /// header is damaged and this finds no table `message` either.
  static func reading(_ bytes: Data, log: LogFrames? = nil) -> DatabasePages? {
    let plain = DatabasePages(bytes, log: log)
    if let plain, plain.roots()["message"] != nil { return plain }
    // This is the page size of reddot's databases.
    let guessed = DatabasePages(bytes, log: log, pageSize: log?.pageSize ?? 4096)
    return guessed.roots()["message"] != nil ? guessed : plain
  }

  /// Creates a reader with the page size in the file's header, or returns `nil` if the header is invalid or
  /// the log has another page size.
  init?(_ bytes: Data, log: LogFrames? = nil) {
    let first = log?.page(1) ?? bytes.prefix(512)
    func byte(_ place: Int) -> Int { Int(first[first.startIndex + place]) }
    guard first.count >= 512, first.prefix(15).elementsEqual("SQLite format 3".utf8) else { return nil }
    let size = byte(16) << 8 | byte(17)
    let pageSize = size == 1 ? 65_536 : size
    guard pageSize >= 512, pageSize & (pageSize - 1) == 0, log == nil || log?.pageSize == pageSize,
      pageSize - byte(20) >= 480
    else { return nil }
    self.init(bytes, log: log, pageSize: pageSize, unused: byte(20))
  }

  private init(_ bytes: Data, log: LogFrames?, pageSize: Int, unused: Int = 0) {
    (self.bytes, self.log, self.pageSize) = (bytes, log, pageSize)
    usable = pageSize - unused
    count = max(bytes.count / pageSize, log?.pageCount ?? 0)
  }

  /// The number of the schema's version, from the first page, or `nil` if that page cannot be read.
  var schemaVersion: Int? { page(1)?.number(60, 4) }

  /// Returns the number of the root page of each table, keyed by the table's name.
  func roots() -> [String: Int] {
    var seen: Set<Int> = []
    var roots: [String: Int] = [:]
    forEachRow(below: 1, seen: &seen) { row in
      guard row.values.count == 5, case .text("table") = row.values[0], case .text(let name) = row.values[1],
        case .integer(let root) = row.values[3]
      else { return row.values.count == 5 }
      roots[name] = Int(clamping: root)
      return true
    }
    return roots
  }

  /// The type of a b-tree page (section 1.6 of the format).
  private enum Kind: UInt8 {
    case indexInterior = 2
    case tableInterior = 5
    case indexLeaf = 10
    case tableLeaf = 13
  }

  private struct Page {
    var bytes: Data.SubSequence
    /// The position of the b-tree's header on the page. On the first page, the file's header precedes it.
    var header: Int

    func byte(_ place: Int) -> Int? {
      guard place >= 0, place < bytes.count else { return nil }
      return Int(bytes[bytes.startIndex + place])
    }

    func number(_ place: Int, _ length: Int) -> Int? {
      var number = 0
      for offset in 0..<length {
        guard let byte = byte(place + offset) else { return nil }
        number = number << 8 | byte
      }
      return number
    }

    /// Reads a number of one to nine bytes at `place`, and moves `place` behind it. The highest bit of each
    /// of the first eight bytes shows whether another byte follows.
    func variable(_ place: inout Int) -> Int64? {
      var number: UInt64 = 0
      for index in 0..<9 {
        guard let byte = byte(place) else { return nil }
        place += 1
        if index == 8 { return Int64(bitPattern: number << 8 | UInt64(byte)) }
        number = number << 7 | UInt64(byte & 0x7F)
        if byte < 0x80 { return Int64(bitPattern: number) }
      }
      return nil
    }
  }

  private func page(_ number: Int) -> Page? {
    guard number >= 1, number <= count else { return nil }
    let header = number == 1 ? 100 : 0
    if let logged = log?.page(number) { return Page(bytes: logged, header: header) }
    let start = bytes.startIndex + (number - 1) * pageSize
    guard start + pageSize <= bytes.endIndex else { return nil }
    return Page(bytes: bytes[start..<start + pageSize], header: header)
  }

  private func kind(_ page: Page) -> Kind? { page.byte(page.header).flatMap { Kind(rawValue: UInt8($0)) } }

  // MARK: - Trees

  /// Visits the rows of the tree with this root page, as far as they can be reached through readable pages.
  /// Rows whose ids do not fit their position in the tree are left out.
  ///
  /// - Parameters:
  ///   - seen: receives the numbers of the pages with accepted rows.
  ///   - body: returns whether a row may belong to this tree; such a row is accepted.
  /// - Returns: whether every page of the tree is undamaged, and every row on the pages was accepted.
  @discardableResult
  func forEachRow(
    below root: Int, seen: inout Set<Int>, _ body: (Row) throws -> Bool
  ) rethrows -> Bool {
    var isWhole = true
    var visited: Set<Int> = []
    var waiting: [(page: Int, after: Int64?, through: Int64?)] = [(root, nil, nil)]
    while let (number, after, through) = waiting.popLast() {
      guard let page = page(number), let kind = kind(page), visited.insert(number).inserted else {
        isWhole = false
        continue
      }
      let isLeaf = kind == .tableLeaf || kind == .indexLeaf
      if !isSound(page, kind) { isWhole = false }
      var last = after
      var previous = after
      for place in cells(page, isLeaf: isLeaf) {
        var place = place
        if !isLeaf {
          guard let child = page.number(place, 4) else {
            isWhole = false
            continue
          }
          place += 4
          var end = place
          let key = kind == .tableInterior ? page.variable(&end) : nil
          waiting.append((child, last, key ?? through))
          last = key ?? last
        }
        if kind == .tableInterior { continue }
        guard let row = row(page, number, at: place, kind) else {
          isWhole = false
          continue
        }
        let isInPlace =
          kind != .tableLeaf
          || (after.map { row.rowid > $0 } ?? true) && (through.map { row.rowid <= $0 } ?? true)
        if kind == .tableLeaf {
          if let previous, row.rowid <= previous { isWhole = false }
          previous = row.rowid
        }
        if try isInPlace && body(row) { seen.insert(number) } else { isWhole = false }
      }
      if !isLeaf {
        if let child = page.number(page.header + 8, 4) {
          waiting.append((child, last, through))
        } else {
          isWhole = false
        }
      }
    }
    return isWhole
  }

  /// Whether a page is undamaged: the cells (its entries), free blocks and fragments that its header
  /// specifies fill the page without overlapping (section 1.6 of the format).
  private func isSound(_ page: Page, _ kind: Kind) -> Bool {
    let isLeaf = kind == .tableLeaf || kind == .indexLeaf
    guard let length = page.number(page.header + 3, 2), let first = page.number(page.header + 5, 2),
      var free = page.number(page.header + 1, 2), let fragments = page.byte(page.header + 7)
    else { return false }
    let content = first == 0 ? 65_536 : first
    let cells = cells(page, isLeaf: isLeaf)
    guard cells.count == length, content >= page.header + (isLeaf ? 8 : 12) + length * 2, content <= usable
    else { return false }
    var parts: [(start: Int, length: Int)] = []
    for place in cells {
      guard let size = size(page, ofCellAt: place, kind) else { return false }
      parts.append((place, size))
    }
    while free != 0 {
      guard let next = page.number(free, 2), let size = page.number(free + 2, 2), size >= 4,
        next == 0 || next > free, parts.count <= pageSize
      else { return false }
      parts.append((free, size))
      free = next
    }
    var end = content
    var left = 0
    for part in parts.sorted(by: { $0.start < $1.start }) {
      guard part.start >= end else { return false }
      left += part.start - end
      end = part.start + part.length
    }
    return end <= usable && left + usable - end == fragments
  }

  /// Returns the length in bytes of a cell (an entry of a b-tree page), or `nil` if the cell's header is
  /// invalid.
  private func size(_ page: Page, ofCellAt place: Int, _ kind: Kind) -> Int? {
    var end = place
    if kind == .tableInterior || kind == .indexInterior { end += 4 }
    if kind == .tableInterior { return page.variable(&end).map { _ in end - place } }
    guard let length = page.variable(&end), length >= 0, length <= Int64(Int32.max) else { return nil }
    if kind == .tableLeaf, page.variable(&end) == nil { return nil }
    let local = local(Int(length), isTable: kind == .tableLeaf)
    return max(4, end - place + local + (local < length ? 4 : 0))
  }

  /// Visits the rows on all table pages that are neither in `seen` nor unused, so that no tree that could be
  /// read contains them.
  func forEachOrphan(besides seen: Set<Int>, _ body: (Row) throws -> Void) rethrows {
    let free = free()
    for number in 1...max(1, count) where !seen.contains(number) && !free.contains(number) {
      guard let page = page(number), kind(page) == .tableLeaf else { continue }
      for place in cells(page, isLeaf: true) {
        if let row = row(page, number, at: place, .tableLeaf) { try body(row) }
      }
    }
  }

  /// Returns the numbers of the unused pages, which may still contain deleted rows.
  private func free() -> Set<Int> {
    var free: Set<Int> = []
    var next = page(1)?.number(32, 4) ?? 0
    while let trunk = page(next), free.insert(next).inserted {
      let length = min(trunk.number(4, 4) ?? 0, usable / 4 - 2)
      for index in 0..<max(0, length) {
        if let leaf = trunk.number(8 + index * 4, 4) { free.insert(leaf) }
      }
      next = trunk.number(0, 4) ?? 0
    }
    return free
  }

  /// Returns the positions on a page of its cells, which are the entries of a b-tree page.
  private func cells(_ page: Page, isLeaf: Bool) -> [Int] {
    guard let length = page.number(page.header + 3, 2), length <= pageSize / 2 else { return [] }
    let array = page.header + (isLeaf ? 8 : 12)
    return (0..<length).compactMap { page.number(array + $0 * 2, 2) }
  }

  private func row(_ page: Page, _ number: Int, at place: Int, _ kind: Kind) -> Row? {
    var place = place
    guard let length = page.variable(&place), length >= 0, length <= Int64(bytes.count) else { return nil }
    var rowid: Int64 = 0
    if kind == .tableLeaf {
      guard let id = page.variable(&place) else { return nil }
      rowid = id
    }
    var pages = [number]
    guard let payload = payload(page, at: place, Int(length), isTable: kind == .tableLeaf, &pages),
      let values = Self.values(payload)
    else { return nil }
    return Row(rowid: rowid, values: values, pages: pages)
  }

  /// Returns the payload of a cell: `length` bytes, which begin at `place` and continue on overflow pages
  /// (section 1.6 of the format). The numbers of these pages are added to `pages`. Returns `nil` if a page is
  /// missing.
  private func payload(
    _ page: Page, at place: Int, _ length: Int, isTable: Bool, _ pages: inout [Int]
  ) -> Data? {
    let local = local(length, isTable: isTable)
    guard place + local <= page.bytes.count else { return nil }
    let start = page.bytes.startIndex + place
    var payload = Data(page.bytes[start..<start + local])
    guard local < length else { return payload }
    var next = page.number(place + local, 4)
    var followed: Set<Int> = [pages[0]]
    while payload.count < length {
      guard let number = next, let more = self.page(number), followed.insert(number).inserted else {
        return nil
      }
      pages.append(number)
      let part = min(usable - 4, length - payload.count)
      payload += more.bytes[more.bytes.startIndex + 4..<more.bytes.startIndex + 4 + part]
      next = more.number(0, 4)
    }
    return payload
  }

  /// Returns how many of a payload's `length` bytes are on the cell's own page; the others are on overflow
  /// pages.
  private func local(_ length: Int, isTable: Bool) -> Int {
    let most = isTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
    guard length > most else { return length }
    let least = (usable - 12) * 32 / 255 - 23
    let rest = least + (length - least) % (usable - 4)
    return rest <= most ? rest : least
  }

  /// Returns the values of a record (section 2.1 of the format), or `nil` if the bytes are not exactly one
  /// record.
  private static func values(_ payload: Data) -> [Value]? {
    let record = Page(bytes: payload[...], header: 0)
    var place = 0
    guard let header = record.variable(&place), header >= 1, header <= Int64(payload.count) else {
      return nil
    }
    var types: [Int64] = []
    while place < Int(header) {
      guard let type = record.variable(&place), type >= 0 else { return nil }
      types.append(type)
    }
    guard place == Int(header) else { return nil }
    var values: [Value] = []
    for type in types {
      switch type {
      case 0: values.append(.null)
      case 1...6:
        let length = [1, 2, 3, 4, 6, 8][Int(type) - 1]
        guard let number = record.number(place, length) else { return nil }
        place += length
        let unused = 64 - length * 8
        values.append(.integer((Int64(number) << Int64(unused)) >> Int64(unused)))
      case 7:
        guard let number = record.number(place, 8) else { return nil }
        place += 8
        values.append(.real(Double(bitPattern: UInt64(bitPattern: Int64(number)))))
      case 8: values.append(.integer(0))
      case 9: values.append(.integer(1))
      case 10, 11: return nil
      default:
        let length = (type - 12) / 2
        guard length <= Int64(payload.count - place) else { return nil }
        let start = payload.startIndex + place
        let part = payload[start..<start + Int(length)]
        place += Int(length)
        values.append(type % 2 == 0 ? .blob(Array(part)) : .text(String(decoding: part, as: UTF8.self)))
      }
    }
    return place == payload.count ? values : nil
  }
}

extension Prepared {
  func bind(_ index: Int32, _ value: DatabasePages.Value) throws {
    switch value {
    case .null: bindNull(index)
    case .integer(let number): bind(index, number)
    case .real(let number): bind(index, number)
    case .text(let text): try bind(index, text)
    case .blob(let bytes): try bind(index, blob: bytes)
    }
  }
}
