/// The members that a reader asks for.
///
/// Answers of services have many members that nobody reads. They are checked as strictly as the others, but neither their
/// keys nor their values are made.
package struct JSONSelection: Sendable {
  /// What is kept of a value.
  enum Kept: Equatable, Sendable {
    case all
    case nothing
    /// The keys of an object, as an index of `objects`. Values that are not objects are kept whole.
    case members(Int)
  }

  struct Key: Sendable {
    let text: String
    let bytes: StaticString
    var kept: Kept
  }

  /// Every member.
  package static let all = JSONSelection(objects: [])

  /// The keys of an object, then those of the objects in it.
  private let objects: [[Key]]

  private init(objects: [[Key]]) { self.objects = objects }

  /// - Parameters:
  ///   - keys: members that are kept whole.
  ///   - inner: members that are objects, or arrays of objects, and what is kept of those.
  package init(_ keys: StaticString..., inner: KeyValuePairs<StaticString, JSONSelection> = [:]) {
    var own = keys.map { Key(text: $0.description, bytes: $0, kept: .all) }
    var objects: [[Key]] = []
    for (key, selection) in inner {
      let start = objects.count + 1
      own.append(Key(text: key.description, bytes: key, kept: .members(start)))
      objects += selection.objects.map { keys in
        keys.map { key in
          var key = key
          if case .members(let index) = key.kept { key.kept = .members(start + index) }
          return key
        }
      }
    }
    self.objects = [own] + objects
  }

  /// What is kept of a whole value.
  var whole: Kept { objects.isEmpty ? .all : .members(0) }

  /// The search for the keys of one object.
  struct Search {
    /// nil: none is kept.
    fileprivate var object: Int?
    /// The index of the key that is expected next: objects of one list have their members in the same order.
    fileprivate var next = 0
  }

  func search(_ kept: Kept) -> Search {
    if case .members(let index) = kept { Search(object: index) } else { Search(object: nil) }
  }

  /// The kept key with these bytes.
  func key(_ written: UnsafeBufferPointer<UInt8>, _ search: inout Search) -> Key? {
    guard let object = search.object else { return nil }
    let count = objects[object].count
    for step in 0..<count {
      var place = search.next + step
      if place >= count { place -= count }
      let name = objects[object][place].bytes
      guard name.utf8CodeUnitCount == written.count,
        sameBytes(UnsafeBufferPointer(start: name.utf8Start, count: written.count), written)
      else { continue }
      search.next = place + 1
      return objects[object][place]
    }
    return nil
  }
}
