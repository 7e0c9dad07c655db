import CXML2

/// An attribute by name, its value resolved; empty where it has none.
struct HTMLAttribute: Hashable, Sendable {
  var name: String
  var value: String
}

/// The attributes of the element that is being opened.
struct HTMLAttributes {
  private enum Source {
    /// Only good while the parser opens the element.
    case parser(UnsafeMutablePointer<UnsafePointer<xmlChar>?>)
    case list([HTMLAttribute])
  }

  private let source: Source

  init(pointers: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) {
    source = pointers.map { .parser($0) } ?? .list([])
  }

  init(_ list: [HTMLAttribute]) { source = .list(list) }

  subscript(name: String) -> String? {
    switch source {
    case .list(let list): return list.first { $0.name == name }?.value
    case .parser(let pointers):
      var index = 0
      while let key = pointers[index] {
        if xmlStrEqual(key, name) == 1 { return HTMLAttributes.text(pointers[index + 1]) }
        index += 2
      }
      return nil
    }
  }

  /// All of them, to keep.
  var list: [HTMLAttribute] {
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

  private static func text(_ pointer: UnsafePointer<xmlChar>?) -> String {
    pointer.map { String(cString: $0) } ?? ""
  }

  private var isEmpty: Bool {
    switch source {
    case .parser: false
    case .list(let list): list.isEmpty
    }
  }

  /// Mails hide a preview text this way; a reader would see it twice.
  var areHiding: Bool {
    guard !isEmpty else { return false }
    if self["hidden"] != nil { return true }
    guard let style = self["style"] else { return false }
    let bare = style.lowercased().filter { $0 != " " }
    return bare.contains("display:none") || bare.contains("visibility:hidden")
  }

  var alignment: Alignment? {
    let said = self["align"]?.lowercased() ?? self["style"].map { $0.lowercased().filter { $0 != " " } } ?? ""
    if said == "right" || said.contains("text-align:right") { return .right }
    if said == "center" || said.contains("text-align:center") { return .center }
    return nil
  }
}
