import Basics
import Screen

/// Numbers the controls of a view (the HTML page of a banner) in the order of the document, labels them with their
/// text, and collects the URLs of pictures.
struct ViewCollector {
  /// A control while the view is built.
  struct Control {
    var action: ViewControl.Action
    var label: [UInt8] = []
    /// Whether the control is visible.
    var isShown = false
  }

  private let base: LinkAddress?
  /// The lines of the loaded pictures, keyed by URL.
  private let drawings: [String: [StyledText]]
  private(set) var controls: [Control] = []
  /// The URLs of the pictures, without duplicates.
  private(set) var pictures: [String] = []
  private var known: Set<String> = []

  init(base: LinkAddress?, drawings: [String: [StyledText]]) {
    self.base = base
    self.drawings = drawings
  }

  /// Adds a control and returns its number, or returns `nil` if there are too many.
  mutating func number(_ action: ViewControl.Action) -> Int? {
    guard controls.count < Limits.links else { return nil }
    controls.append(Control(action: action))
    return controls.count
  }

  /// Adds text to a control's label.
  mutating func addLabel(_ text: some Sequence<UInt8>, to number: Int) {
    if controls[number - 1].label.count < Limits.labelBytes {
      controls[number - 1].label += text.prefix(Limits.labelBytes)
    }
    if text.contains(where: { $0 > 0x20 }) { controls[number - 1].isShown = true }
  }

  /// Adds the URL of a picture to `pictures`.
  ///
  /// - Returns: the picture's lines, or `nil` if it is not loaded.
  mutating func drawing(of source: String) -> [StyledText]? {
    guard let address = LinkAddress.resolve(source, base: base), address.hasPrefix("http") else { return nil }
    if known.insert(address).inserted { pictures.append(address) }
    return drawings[address].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the label of a control, with single spaces.
  func label(_ number: Int) -> SafeText {
    let words = String(decoding: controls[number - 1].label, as: UTF8.self).split { $0.isWhitespace }
    return SafeText(untrusted: words.joined(separator: " "))
  }
}
