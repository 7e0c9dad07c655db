import Basics
import Messages

@testable import Formats

/// The total bytes of a value's strings.
protocol Measured {
  var textBytes: Int { get }
}

extension String: Measured {
  var textBytes: Int { utf8.count }
}

extension Optional: Measured where Wrapped: Measured {
  var textBytes: Int { self?.textBytes ?? 0 }
}

extension Array: Measured where Element: Measured {
  var textBytes: Int { reduce(0) { $0 + $1.textBytes } }
}

extension FormatProblem: Measured {
  var textBytes: Int { at.utf8.count + message.utf8.count }
}

extension FeedText: Measured {
  var textBytes: Int { raw.utf8.count + base.textBytes }
}

extension ParsedEntry.Attachment: Measured {
  var textBytes: Int { label.utf8.count + url.utf8.count + (enclosure?.type).textBytes }
}

extension ParsedEntry: Measured {
  var textBytes: Int {
    let texts = id.textBytes + title.textBytes + link.textBytes + summary.textBytes + content.textBytes
    return texts + author.textBytes + tags.textBytes + language.textBytes + attachments.textBytes
  }
}

extension ParsedFeed: Measured {
  var textBytes: Int {
    let own = title.textBytes + link.textBytes
    return own + author.textBytes + language.textBytes + problems.textBytes
      + entries.reduce(0) { $0 + $1.textBytes }
  }
}

extension FeedLink: Measured {
  var textBytes: Int { url.utf8.count + title.textBytes + mediaType.textBytes }
}

extension OPMLDocument.Feed: Measured {
  var textBytes: Int { url.utf8.count + title.utf8.count + page.textBytes + folders.textBytes }
}

extension OPMLDocument: Measured {
  var textBytes: Int { title.textBytes + feeds.textBytes + problems.textBytes }
}

extension MessageAction: Measured {
  var textBytes: Int { label.utf8.count + url.utf8.count }
}

extension Enclosure: Measured {
  var textBytes: Int { url.utf8.count + type.textBytes }
}

extension MessageExtras: Measured {
  var textBytes: Int {
    let texts =
      translations.textBytes + actions.textBytes + (enclosures ?? []).textBytes + poster.textBytes
    return texts + unknownKeys.textBytes + category.textBytes + sound.textBytes
  }
}

extension IncomingMessage: Measured {
  var textBytes: Int {
    let texts = remoteID.text.utf8.count + title.utf8.count + body.utf8.count + html.textBytes + url.textBytes
    return texts + author.textBytes + tags.textBytes + channel.textBytes + language.textBytes
      + extras.textBytes
  }
}

extension FeatureNotice: Measured {
  var textBytes: Int { remoteID.text.utf8.count + names.textBytes + data.textBytes + channel.textBytes }
}

extension JSONValue: Measured {
  var textBytes: Int {
    switch self {
    case .null, .bool: 0
    case .number(let text), .string(let text): text.utf8.count
    case .array(let elements): elements.textBytes
    case .object(let object): object.members.reduce(0) { $0 + $1.key.utf8.count + $1.value.textBytes }
    }
  }
}

extension LocalizedText: Measured {
  var textBytes: Int { language.utf8.count + title.utf8.count + body.utf8.count }
}

extension ControlFile.Condition: Measured {
  var textBytes: Int { name.utf8.count + value.textBytes }
}

extension ControlFile.View: Measured {
  var textBytes: Int { id.utf8.count + file.utf8.count }
}

extension ControlFile.Banner: Measured {
  var textBytes: Int {
    let own = name.utf8.count + entry.textBytes + any.textBytes + all.textBytes
    return own + views.textBytes + problems.textBytes
  }
}

extension ScheduleFileEntry: Measured {
  var textBytes: Int {
    path.utf8.count + identity.utf8.count + texts.textBytes + problems.textBytes + (id?.text).textBytes
  }
}
