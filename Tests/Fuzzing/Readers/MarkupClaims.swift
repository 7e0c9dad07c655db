import Basics
import Foundation
import Markup
import Screen

@testable import Formats

/// HTML as plain text: at most a few times longer than the HTML, without hidden content.
enum HTMLTextClaims {
  static func check(_ bytes: Data) throws(Violation) {
    let fragment = String(decoding: bytes, as: UTF8.self)
    let plain = Document.text(ofHTML: fragment, base: nil)
    try claimBounded(plain.utf8.count, by: fragment.utf8.count, times: 4, "plain text")
    let text = FeedText(.html, fragment, base: "http://feeds.example/a/b?c#d")
      .standalone(Allowance(documentBytes: fragment.utf8.count))
    try claimBounded(text.utf8.count, by: fragment.utf8.count, times: 16, "fragment with absolute links")
  }
}

/// Messages as lines: safe, no wider than the screen, with links that may be opened.
enum PageClaims {
  static func html(_ bytes: Data, _ widths: [Int]) throws(Violation) {
    let text = String(decoding: bytes, as: UTF8.self)
    let document = Document.html(text, base: "http://pages.example/a/b.html", keepsPictures: true)
    try check(document, text.utf8.count, widths)
  }

  static func markdown(_ bytes: Data, _ widths: [Int]) throws(Violation) {
    let text = String(decoding: bytes, as: UTF8.self)
    try check(.markdown(text), text.utf8.count, widths)
  }

  static func check(_ document: Document, _ count: Int, _ widths: [Int]) throws(Violation) {
    for (place, link) in document.links.enumerated() {
      try claimEqual(link.number, place + 1, "the number of a link")
      try claim(link.url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a link is \(link.url.debugDescription)")
      let scheme = link.url.prefix { $0 != ":" }
      try claim(["http", "https", "mailto", "reddot"].contains(scheme), "a link is \(link.url)")
      try safe(link.label)
    }
    for width in widths {
      let whole = document.layout(width: width, upTo: .max)
      let (lines, places) = (whole.lines, whole.pictures)
      try check(lines, width, count)
      let first = document.layout(width: width, upTo: 7)
      try claim(places.count <= document.pictures.count, "\(places.count) places for pictures")
      try claim(places.starts(with: first.pictures), "the first places are others")
      try claim(
        zip(places, places.dropFirst()).allSatisfy { $0.line <= $1.line }, "places are not in their order")
      try claim(lines.starts(with: first.lines), "the first lines are others")
      try claim(first.isComplete || first.lines.count >= 7, "\(first.lines.count) lines are not all")
    }
    try claim(document.layout(width: 0).isEmpty, "lines without a column")
  }

  static func check(_ lines: [StyledText], _ width: Int, _ count: Int) throws(Violation) {
    var size = 0
    for line in lines {
      try claim(line.columns <= width, "\(line.columns) columns in \(width): \(line.plain)")
      for run in line.runs { try safe(run.text) }
      try safe(SafeText(untrusted: line.plain), is: line.plain)
      size += line.plain.utf8.count
    }
    // A table's cells are padded to the width.
    try claimBounded(size, by: count, times: 4 * (width + 32), "lines at \(width) columns")
  }

  static func safe(_ text: SafeText) throws(Violation) {
    try safe(SafeText(untrusted: text.text), is: text.text)
  }

  private static func safe(_ filtered: SafeText, is text: String) throws(Violation) {
    if filtered.text.utf8.elementsEqual(text.utf8) { return try harmless(text) }
    // A joiner stays with the letter before it if a line is cut between two letters.
    let isSame = filtered.text.unicodeScalars.filter { $0 != "\u{200C}" }
      .elementsEqual(text.unicodeScalars.filter { $0 != "\u{200C}" })
    try claim(isSame, "what is shown is not safe: \(text.debugDescription)")
    try harmless(text)
  }

  private static func harmless(_ text: String) throws(Violation) {
    try claim(text.unicodeScalars.allSatisfy(isHarmless), "a control is shown: \(text.debugDescription)")
  }

  /// Whether a code point is allowed in a cell, independent of the sanitizer's table.
  static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0xAD, 0x61C, 0x200B, 0x200D...0x200F, 0x2028...0x202E, 0x2060...0x206F,
      0xFEFF, 0xFFF9...0xFFFB, 0xFDD0...0xFDEF, 0xE0000...0xE0FFF, 0xFE00...0xFE0F, 0x1F3FB...0x1F3FF:
      false
    default: scalar.value & 0xFFFE != 0xFFFE
    }
  }
}

/// Plain text and the sanitizer: safe, and unchanged the second time.
enum TextClaims {
  static func check(_ bytes: Data, _ widths: [Int]) throws(Violation) {
    let text = String(decoding: bytes, as: UTF8.self)
    let line = SafeText(untrusted: text)
    try PageClaims.safe(line)
    try claimEqual(SafeText(untrusted: line.text), line, "a text sanitised twice")
    let lines = SafeText.lines(untrusted: text)
    for line in lines { try PageClaims.safe(line) }
    for width in [1, 2, 7] {
      for part in line.wrapped(to: width) {
        // A wide character does not fit in one column, and is alone in its line.
        try claim(part.columns <= max(2, width), "\(part.columns) columns in \(width): \(part.text)")
        try PageClaims.safe(part)
      }
      try claim(
        line.truncated(to: width, ellipsis: "…").columns <= width, "a text cut to \(width) columns is longer")
      try claimEqual(line.padded(to: width).columns, max(width, line.columns), "columns of a padded text")
    }
    let half = text.unicodeScalars.count / 2
    let first = SafeText(untrusted: String(text.unicodeScalars.prefix(half)))
    let second = SafeText(untrusted: String(text.unicodeScalars.dropFirst(half)))
    let sum = first + second
    try claimEqual(SafeText(untrusted: sum.text), sum, "two safe texts side by side")
    try PageClaims.check(.plain(text), text.utf8.count, widths)
  }
}

/// A banner's view: bounded and safe, also after any changes by scripts.
enum ViewClaims {
  static func check(_ bytes: Data, _ widths: [Int]) throws(Violation) {
    let text = String(decoding: bytes, as: UTF8.self)
    var page = ViewPage(html: text, base: "http://views.example/a/b.html")
    try check(page, text.utf8.count, widths)
    // A script sets the end of the document as the content of its elements.
    let part = String(text.suffix(200))
    let ids = page.elements.prefix(4).map(\.id)
    for (place, id) in ids.enumerated() {
      switch place {
      case 0: page.apply(.html(element: id, part))
      case 1: page.apply(.text(element: id, part))
      case 2: page.apply(.hidden(element: id, true))
      default: page.apply(.clickable(element: id, true))
      }
    }
    if !ids.isEmpty { try check(page, text.utf8.count + part.utf8.count, widths) }
  }

  private static func check(_ page: ViewPage, _ count: Int, _ widths: [Int]) throws(Violation) {
    try claimBounded(page.scripts.textBytes, by: count, "scripts")
    let elements = page.elements
    let size = elements.reduce(0) { $0 + $1.textContent.utf8.count + $1.innerHTML.utf8.count }
    try claim(size <= 64 * count + 16 << 10 || size <= 8 << 20, "the elements of \(count) bytes hold \(size)")
    for address in page.pictures {
      try claim(address.hasPrefix("http://") || address.hasPrefix("https://"), "a picture is \(address)")
    }
    for width in widths {
      let layout = page.layout(width: width)
      try PageClaims.check(layout.lines, width, count)
      for (place, control) in layout.controls.enumerated() {
        try claimEqual(control.number, place + 1, "the number of a control")
        try PageClaims.safe(control.label)
        if case .open(let address) = control.action {
          let scheme = address.prefix { $0 != ":" }
          try claim(["http", "https", "mailto", "reddot"].contains(scheme), "a control opens \(address)")
          try claim(
            address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a control opens \(address.debugDescription)")
        }
      }
    }
  }
}
