import Basics
import Foundation
import Markup

/// The description of an event: plain text, or HTML, which the calendars of Google and Microsoft use.
struct CalendarDescription {
  /// The description as text without markup.
  let text: String
  /// The description as HTML, or `nil` if it is plain text.
  private let markup: String?
  /// The addresses of the links in the HTML of the description.
  let links: [String]

  init(_ given: String) {
    let given = given.trimmingCharacters(in: .whitespacesAndNewlines)
    guard Self.isHTML(given) else {
      (text, markup, links) = (given, nil, [])
      return
    }
    // Line ends in text between tags are meant as line breaks.
    let html =
      given.contains("<br") || given.contains("<p") ? given : given.replacingBytes("\n", with: "<br>")
    text = Document.text(ofHTML: html, base: nil).trimmingCharacters(in: .whitespacesAndNewlines)
    markup = html
    links = Document.html(html, base: nil).links.map(\.url)
  }

  /// Returns the body of the message as HTML: the time and the place, below them the description, and at the
  /// end the sentence on missed alarms. Returns `nil` if the description is plain text.
  func html(below span: String, _ place: String, above missed: String?) -> String? {
    guard let markup else { return nil }
    let head = [span, place].filter { !$0.isEmpty }.map(\.markupEscaped).joined(separator: "<br>")
    return "<p>\(head)</p>\(markup)" + (missed.map { "<p>\($0.markupEscaped)</p>" } ?? "")
  }

  /// Whether a description contains one of the HTML elements that these calendars write. For example,
  /// `<ada@example.org>` is not an element.
  private static func isHTML(_ text: String) -> Bool {
    guard text.utf8.contains(UInt8(ascii: "<")) else { return false }
    let element =
      #/<\/?(?i:a|b|br|div|em|font|h[1-6]|hr|html|html-blob|i|img|li|ol|p|pre|s|span|strong|table|td|tr|u|ul)(?:\s[^<>]*)?\/?>/#
    return text.firstMatch(of: element) != nil
  }
}
