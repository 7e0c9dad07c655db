import Messages

/// A message's extras as JSON, as `JSONEncoder` writes them with sorted keys and bare slashes, byte for byte: the text
/// is hashed and stored, so it may never change.
enum ExtrasText {
  /// - Parameters:
  ///   - buffer: its content is replaced by the UTF-8 of the text.
  ///   - hashed: whether the text is hashed and not stored: the data on enclosures was added later, and earlier
  ///     messages must not count as changed.
  static func write(_ extras: MessageExtras, into buffer: inout [UInt8], hashed: Bool = false) {
    var writer = StoredJSON(bytes: consume buffer)
    defer { buffer = writer.bytes }
    writer.bytes.removeAll(keepingCapacity: true)
    writer.object {
      $0.array("actions", extras.actions) { writer, action in
        writer.object {
          $0.member("label", action.label)
          if let request = action.request { $0.object("request") { write(request, &$0) } }
          $0.member("upstream", action.upstream)
          $0.member("url", action.url)
        }
      }
      $0.member("category", extras.category)
      if let cut = extras.cut { $0.array("cut", cut) { writer, part in writer.element(part.rawValue) } }
      if let enclosures = extras.enclosures, !hashed {
        $0.array("enclosures", enclosures) { writer, enclosure in
          writer.object {
            $0.member("duration", enclosure.duration)
            $0.member("length", enclosure.length)
            $0.member("type", enclosure.type)
            $0.member("url", enclosure.url)
          }
        }
      }
      $0.member("format", extras.format?.rawValue)
      $0.member("group", extras.group)
      $0.member("handle", extras.handle)
      $0.member("occasion", extras.occasion)
      $0.member("poster", extras.poster)
      $0.member("sound", extras.sound)
      $0.array("translations", extras.translations) { writer, translation in
        writer.object {
          $0.member("body", translation.body)
          $0.member("language", translation.language)
          $0.member("title", translation.title)
        }
      }
      $0.member("unknownKeys", extras.unknownKeys)
    }
  }

  private static func write(_ request: ActionRequest, _ writer: inout StoredJSON) {
    writer.member("body", request.body)
    writer.object("headers") { writer in
      for (name, value) in request.headers.sorted(by: { $0.key < $1.key }) { writer.member(name, value) }
    }
    writer.member("method", request.method)
  }
}
