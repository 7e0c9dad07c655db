import Basics
import Formats
import Screen

// Handles inline elements: links, pictures, buttons.
extension HTMLBuilder {
  /// Begins a link, unless its URL cannot be opened.
  func enterLink(_ attributes: HTMLAttributes) {
    guard view == nil else { return }
    // URLs in the text before it are numbered first.
    inline.endLook()
    guard inline.link == nil, let reference = attributes["href"] else { return }
    guard let number = links.number(for: reference) else { return }
    linkHasText = false
    inline.set(inline.emphasis, link: number)
  }

  /// Ends a link.
  ///
  /// - Parameter outer: the number of the link around it.
  func leaveLink(outer: Int?) {
    guard view == nil else { return }
    inline.endSpan()
    if outer == nil, let number = inline.link { finishLink(number) }
    // This is needed even if the link has no number, so that the text consists of the same parts.
    inline.endLook()
  }

  /// Adds the number after a link's text, or removes the link if it has no text.
  private func finishLink(_ number: Int) {
    guard linkHasText else { return links.discard(number) }
    links.finishLabel(number)
    if let mark = LinkCollector.number(number, inside: inline.emphasis) { append(joined: mark) }
  }

  /// Adds a picture, or the text that replaces it.
  func image(_ attributes: HTMLAttributes) {
    let picture = PictureSigns(attributes)
    if picture.isInvisible || view == nil && picture.isAvatar { return }
    let alt = attributes["alt"].map { $0.split { $0.isWhitespace }.joined(separator: " ") }
    if let source = attributes["src"], let lines = view?.drawing(of: source) {
      return draw(lines, alt: alt, source: source)
    }
    let known = view == nil ? MediaAddress.of(attributes) ?? media.chosen : nil
    let source = known ?? attributes["src"] ?? ""
    let address = known.flatMap { links.webAddress(of: $0) }
    if view == nil, isCopy(of: address, alt) { return }
    media.remember(address, alt, known == nil && view == nil ? inline.place() : nil)
    if alt == "" {
      // Such a picture is decoration, unless it has a size in the text.
      if picture.hasSize, let number = number(of: picture, source) { inline.append(picture: number) }
      return
    }
    if view == nil, let alt, picture.isWord(alt) { return append(alt) }
    appendLinked(
      LinkCollector.image(alt, source: source), to: source, picture: number(of: picture, source))
  }

  /// Adds a picture to the list of the document's pictures.
  ///
  /// - Returns: its index, or `nil` if it is not drawn.
  private func number(of picture: PictureSigns, _ source: String) -> Int? {
    guard let known = pictures, known.count < Limits.messagePictures, !picture.isSmall,
      let address = links.webAddress(of: source)
    else { return nil }
    pictures?.append(BodyPicture(address: address, width: picture.width, height: picture.height))
    return known.count
  }

  /// Adds the lines of a loaded picture. Inside a control, the picture can be pressed like text.
  private func draw(_ lines: [StyledText], alt: String?, source: String) {
    let link = inline.link
    if let link { addLabel(LinkCollector.image(alt, source: source).text.utf8, to: link) }
    add(drawing: lines.map { $0.linked(link) })
  }

  /// Adds a link to a recording or a frame, whose content is not shown.
  ///
  /// - Parameter player: the URL of the player's page, if the element is a player that `EmbeddedPlayer`
  ///   recognises.
  func embedded(_ name: String, _ attributes: HTMLAttributes, player: String? = nil) {
    guard let found = EmbeddedMedia(name, attributes, player: player) else { return }
    if let source = found.address {
      embedded(label: found.label, source)
    } else {
      media.wait(for: found.label, outside: hiddenDepth)
    }
  }

  /// Sets the URL of a recording or an object from the first inner element that has one.
  func fillWaiting(_ role: HTMLRole, _ attributes: HTMLAttributes) {
    let address: String?
    switch role {
    case .source: address = MediaAddress.of(attributes)
    case .embedded, .player:
      address = PictureSigns.isFlash(attributes) ? nil : MediaAddress.of(attributes) ?? attributes["data"]
    case .parameter:
      let name = attributes["name"]?.lowercased() ?? ""
      let isFlash = PictureSigns.isFlash(
        HTMLAttributes([HTMLAttribute(name: "src", value: attributes["value"] ?? "")]))
      address = ["movie", "src", "url", "filename"].contains(name) && !isFlash ? attributes["value"] : nil
    default: address = nil
    }
    guard let address, let label = media.takeWaiting() else { return }
    embedded(label: label, address)
  }

  /// Adds the link of a recording or a frame, if its URL can be opened.
  private func embedded(label: String, _ source: String) {
    inline.endLook()
    // In a view, a URL that cannot be opened isn't a control.
    guard view == nil ? links.canOpen(source) : inline.link != nil else { return }
    appendLinked("[\(untrusted: label)]", to: source)
  }

  /// Whether the current picture is only for browsers without scripts, and repeats one that is already shown.
  /// If only a placeholder is shown so far, the placeholder is removed.
  private func isCopy(of address: String?, _ alt: String?) -> Bool {
    guard media.fallbackDepth > 0, let last = media.last else { return false }
    if last.address == nil {
      if address != nil, let place = last.place {
        inline.change(since: place) { $0.filter { !$0.emphasis.contains(.image) } }
      }
      return address == nil
    }
    return address == nil || media.addresses.contains(address ?? "")
      || alt?.isEmpty == false && alt == last.alt
  }

  /// Appends a label that replaces a picture or a recording; inside a link it is part of that link's text.
  func appendLinked(_ text: SafeText, to address: String, picture: Int? = nil) {
    if view == nil { inline.endLook() }
    let own = inline.link == nil && view == nil ? links.number(for: address) : nil
    inline.append(
      mark: Span(text, inline.emphasis.union(.image), link: inline.link ?? own, picture: picture))
    if let number = inline.link ?? own { addLabel(text.text.utf8, to: number) }
    linkHasText = true
    guard let own else { return }
    links.finishLabel(own)
    if let mark = LinkCollector.number(own, inside: inline.emphasis) {
      inline.append(mark: mark, isJoined: true)
    }
  }

  /// Adds the text that represents a form field.
  func input(_ attributes: HTMLAttributes) {
    switch attributes["type"]?.lowercased() ?? "text" {
    case "checkbox", "radio": append(attributes["checked"] == nil ? "[ ] " : "[x] ")
    case "submit", "reset", "button":
      bracket("[ ")
      append(attributes["value"] ?? "Submit")
      bracket(" ]")
    case "hidden", "password": break
    default: append(attributes["value"] ?? "")
    }
  }

  /// Adds a bracket next to a button's label; in a view it is not part of the control's name.
  func bracket(_ text: String) { view == nil ? append(text) : inline.append(text) }

  /// Adds text to the label of a link or, in a view, of a control.
  func addLabel(_ text: some Sequence<UInt8>, to number: Int) {
    guard view == nil else {
      view?.addLabel(text, to: number)
      return
    }
    links.addLabel(text, to: number)
    linkHasText = linkHasText || text.contains { $0 > 0x20 }
  }
}
