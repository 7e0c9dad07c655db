import Basics

/// Receives the events of an XML document.
protocol XMLSink: AnyObject {
  func startElement(_ name: XMLName, _ attributes: XMLAttributes)
  /// Receives an end tag as written. In a repaired document it may match no open element.
  func endElement(_ name: XMLName)
  func characters(_ text: UnsafeBufferPointer<UInt8>)
}

/// The name of an element. The pointers are libxml2's interned strings: within one document the pointers are equal
/// exactly if the names are. End tags that match no start tag are the exception.
struct XMLName {
  let local: UnsafePointer<UInt8>
  let prefix: UnsafePointer<UInt8>?
  let uri: UnsafePointer<UInt8>?
}

/// The attributes of one start tag, which are valid only during the call of the sink.
struct XMLAttributes: Sequence {
  struct Attribute {
    let local: UnsafePointer<UInt8>
    let prefix: UnsafePointer<UInt8>?
    let value: UnsafeBufferPointer<UInt8>

    /// The value as text. A reference like `&#146;` is read as the Windows-1252 character, as in content.
    var text: String {
      guard value.contains(0xC2) else { return String(decoding: value, as: UTF8.self) }
      return String(decoding: TextRepair.dropUnwanted(value).bytes, as: UTF8.self)
    }
  }

  /// libxml2's array, with five pointers for each attribute: local name, prefix, namespace, start and end of the value.
  let cells: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
  let count: Int

  func makeIterator() -> AnyIterator<Attribute> {
    var index = 0
    return AnyIterator {
      guard index < count else { return nil }
      defer { index += 1 }
      return self[index]
    }
  }

  subscript(index: Int) -> Attribute? {
    guard let cells, let local = cells[index * 5] else { return nil }
    let start = cells[index * 5 + 3]
    let length = start.flatMap { start in cells[index * 5 + 4].map { $0 - start } } ?? 0
    return Attribute(
      local: local, prefix: cells[index * 5 + 1], value: UnsafeBufferPointer(start: start, count: length))
  }

  /// Returns the value of an attribute without a prefix, ignoring the case of its name.
  func text(_ name: StaticString) -> String? {
    for index in 0..<count {
      if let attribute = self[index], attribute.prefix == nil, attribute.local.isName(name) {
        return attribute.text
      }
    }
    return nil
  }

  /// Returns the value of an attribute with a prefix, ignoring the case of both names.
  func text(_ name: StaticString, prefix: StaticString) -> String? {
    for index in 0..<count {
      if let attribute = self[index], let its = attribute.prefix, its.isName(prefix),
        attribute.local.isName(name)
      {
        return attribute.text
      }
    }
    return nil
  }
}

extension UnsafePointer<UInt8> {
  /// The C string as a string, or `nil` if it is longer than any known name.
  var shortText: String? {
    var length = 0
    while self[length] != 0 {
      length += 1
      if length > Limits.namespaceBytes { return nil }
    }
    return String(decoding: UnsafeBufferPointer(start: self, count: length), as: UTF8.self)
  }

  /// Whether a C string is this name, ignoring the case of ASCII letters.
  func isName(_ name: StaticString) -> Bool {
    let wanted = name.utf8Start
    for index in 0..<name.utf8CodeUnitCount where self[index].lowercasedASCII != wanted[index].lowercasedASCII
    {
      return false
    }
    return self[name.utf8CodeUnitCount] == 0
  }
}
