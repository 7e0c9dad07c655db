import Basics
import Formats
import Screen

/// The style that an element's attributes declare: `style` (CSS 2.2), and presentational ones (HTML, "Rendering").
/// Properties that are not given or not supported are `nil`.
struct StyleDeclaration: Hashable {
  var foreground: Color?
  var background: Color?
  /// The alignment of the text inside the element.
  var alignment: Alignment?
  /// The alignment of a table itself.
  var position: Alignment?
  /// The emphasis that the element adds to that of its surroundings.
  var added: Emphasis = []
  /// The emphasis that the element removes.
  var removed: Emphasis = []

  init(_ name: String, _ attributes: HTMLAttributes) {
    background = attributes["bgcolor"].flatMap(CSSColor.legacy)
    if name == "font" { foreground = attributes["color"].flatMap(CSSColor.legacy) }
    if name == "center" { alignment = .center }
    let align = attributes["align"].flatMap { StyleDeclaration.alignment($0) }
    if name == "table" {
      position = align
    } else if HTMLRole.named(name).isBlock {
      alignment = align ?? alignment
    }
    guard let style = attributes["style"] else { return }
    for declaration in style.split(onBytes: ";").prefix(Limits.attributes) {
      guard let colon = declaration.firstIndex(of: ":") else { continue }
      let property = declaration[..<colon].lowercased().filter { !$0.isWhitespace }
      let value = declaration[declaration.index(after: colon)...].prefix { $0 != "!" }
      read(property, value.lowercased().split { $0.isWhitespace }.joined(separator: " "))
    }
  }

  /// Reads one property of `style`.
  private mutating func read(_ property: String, _ value: String) {
    switch property {
    case "color": foreground = CSSColor.color(value) ?? foreground
    case "background-color": background = CSSColor.color(value) ?? background
    case "background":
      // If there is also a picture or a position, the colour is one of several words.
      let color = CSSColor.color(value) ?? value.split(onBytes: " ").lazy.compactMap(CSSColor.color).first
      background = color ?? background
    case "font-weight":
      switch value {
      case "bold", "bolder": set(.strong, true)
      case "normal", "lighter": set(.strong, false)
      default: if let weight = Int(value) { set(.strong, weight >= 600) }
      }
    case "font-style":
      switch value {
      case "italic", "oblique": set(.stressed, true)
      case "normal": set(.stressed, false)
      default: break
      }
    case "text-decoration", "text-decoration-line":
      let words = value.split(onBytes: " ")
      if words.contains("underline") { set(.underlined, true) }
      if words.contains("line-through") { set(.deleted, true) }
    case "text-align": alignment = StyleDeclaration.alignment(value) ?? alignment
    default: break
    }
  }

  /// Records that the element adds or removes emphasis.
  private mutating func set(_ emphasis: Emphasis, _ isSet: Bool) {
    if isSet {
      added.formUnion(emphasis)
      removed.subtract(emphasis)
    } else {
      removed.formUnion(emphasis)
      added.subtract(emphasis)
    }
  }

  /// Returns the alignment that a value of `align` or `text-align` means.
  private static func alignment(_ value: String) -> Alignment? {
    switch value.lowercased().filter({ !$0.isWhitespace }) {
    case "left", "start", "justify": .left
    case "center", "middle": .center
    case "right", "end": .right
    default: nil
    }
  }
}
