import Formats

extension HTMLAttributes {
  /// Whether the attributes hide the element. Mails use this for preview text that repeats their beginning.
  var areHiding: Bool {
    if self["hidden"] != nil { return true }
    guard let style = self["style"] else { return false }
    let bare = style.lowercased().filter { $0 != " " }
    return bare.contains("display:none") || bare.contains("visibility:hidden")
  }

  /// The alignment that `align` or `style` sets, or `nil` if it is left or neither sets one.
  var alignment: Alignment? {
    let said = self["align"]?.lowercased() ?? self["style"].map { $0.lowercased().filter { $0 != " " } } ?? ""
    if said == "right" || said.contains("text-align:right") { return .right }
    if said == "center" || said.contains("text-align:center") { return .center }
    return nil
  }
}
