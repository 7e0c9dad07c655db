/// An attribute of a start tag. Character references in the value are resolved; a missing value is empty.
package struct HTMLAttribute: Hashable, Sendable {
  package var name: String
  package var value: String

  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// The attributes of a start tag.
package struct HTMLAttributes {
  /// The storage of the attributes.
  private enum Source {
    /// The parser's array, which is valid only during its call.
    case parser(UnsafeMutablePointer<UnsafePointer<UInt8>?>)
    case list([HTMLAttribute])
  }

  private let source: Source

  /// Creates the attributes from libxml2's array, which contains names and values by turns and ends with `nil`.
  init(cells pointers: UnsafeMutablePointer<UnsafePointer<UInt8>?>?) {
    source = pointers.map { .parser($0) } ?? .list([])
  }

  package init(_ list: [HTMLAttribute]) { source = .list(list) }

  /// The value of an attribute, or `nil` if there is none. The name must be in lower case.
  package subscript(name: String) -> String? {
    switch source {
    case .list(let list): return list.first { $0.name == name }?.value
    case .parser(let pointers):
      var name = name
      return name.withUTF8 { wanted in
        var index = 0
        while let key = pointers[index] {
          if HTMLAttributes.isName(key, wanted) { return HTMLAttributes.text(pointers[index + 1]) }
          index += 2
        }
        return nil
      }
    }
  }

  private static func isName(_ key: UnsafePointer<UInt8>, _ wanted: UnsafeBufferPointer<UInt8>) -> Bool {
    for index in wanted.indices where key[index] != wanted[index] { return false }
    return key[wanted.count] == 0
  }

  /// All attributes, as values that can be kept.
  package var list: [HTMLAttribute] {
    switch source {
    case .list(let list): return list
    case .parser(let pointers):
      var list: [HTMLAttribute] = []
      var index = 0
      while let key = pointers[index] {
        list.append(
          HTMLAttribute(name: HTMLAttributes.text(key), value: HTMLAttributes.text(pointers[index + 1])))
        index += 2
      }
      return list
    }
  }

  private static func text(_ pointer: UnsafePointer<UInt8>?) -> String {
    pointer.map { String(cString: $0) } ?? ""
  }
}
