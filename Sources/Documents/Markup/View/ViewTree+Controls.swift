import Formats

extension ViewTree.Element {
  /// Returns the effect of pressing the element, or `nil` if it cannot be pressed.
  func action(base: LinkAddress?) -> ViewControl.Action? {
    // A disabled control gets no clicks (HTML, "The disabled attribute").
    let isButton = name == "button" || name == "input"
    if isButton, self["disabled"] != nil { return nil }
    if handler == .script, let id { return .click(element: id) }
    if let code { return .run(code: code, element: id) }
    switch name {
    case "a": return self["href"].flatMap { LinkAddress.resolve($0, base: base) }.map { .open($0) }
    case "video", "audio", "iframe", "embed", "object":
      return (self["src"] ?? self["data"]).flatMap { LinkAddress.resolve($0, base: base) }.map { .open($0) }
    default: return nil
    }
  }

  /// The code that runs when the element is pressed: that of its `onclick` attribute, or of its `javascript:` URL.
  var code: String? {
    if handler == .attribute, let code = self["onclick"], ViewTree.Element.hasCode(code) { return code }
    guard name == "a", let code = self["href"].flatMap({ LinkAddress.script($0) }) else { return nil }
    return ViewTree.Element.hasCode(code) ? code : nil
  }

  private static func hasCode(_ text: String) -> Bool { text.utf8.contains { $0 > 0x20 } }
}

extension ViewTree {
  /// Returns the base of relative URLs: the first `<base href>` (HTML, "The base element"), or the view's URL if there
  /// is none.
  func base(from address: String?) -> LinkAddress? {
    let base = LinkAddress(base: address)
    for case .open(let element) in nodes where element.name == "base" {
      guard let reference = element["href"] else { continue }
      return LinkAddress(base: LinkAddress.resolve(reference, base: base)) ?? base
    }
    return base
  }

  /// Sends all elements and text of the view to the builder, in order.
  ///
  /// - Parameter drawsPictures: whether pictures may be drawn instead of their alternative text.
  func send(to builder: HTMLBuilder, base: LinkAddress?, drawsPictures: Bool) {
    var depth = 0
    var buttonDepth: Int?
    for (index, node) in nodes.enumerated() {
      switch node {
      case .open(let element):
        depth += 1
        var name = element.name
        if name == "button" {
          if drawsPictures, isPicture(index) { name = "span" }
          buttonDepth = buttonDepth ?? depth
        } else if buttonDepth != nil, HTMLRole.named(name).isBlock {
          // A button is on one line, even if its label has block elements.
          name = "span"
        }
        builder.open(name, HTMLAttributes(element.attributes), action: element.action(base: base))
        // The rest is left out, which the builder notes.
        if builder.isTooDeep { return }
      case .text(var text): text.withUTF8 { builder.text($0) }
      case .close:
        builder.close()
        if buttonDepth == depth { buttonDepth = nil }
        depth -= 1
      }
    }
  }

  /// Whether a button is only a picture, which needs no brackets.
  private func isPicture(_ index: Int) -> Bool {
    var hasPicture = false
    for node in nodes[index..<end(of: index)] {
      switch node {
      case .open(let element): hasPicture = hasPicture || element.name == "img"
      case .text(let text): if text.utf8.contains(where: { $0 > 0x20 }) { return false }
      case .close: break
      }
    }
    return hasPicture
  }
}
