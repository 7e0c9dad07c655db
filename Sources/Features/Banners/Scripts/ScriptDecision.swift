import Basics
package import Markup

/// The decision about the calls that a script of a view made: the permitted actions, and the refused calls.
///
/// It has no side effects: it is computed from the calls and the ids of the banner's views.
package struct ScriptDecision: Hashable, Sendable {
  /// A call that is not carried out.
  package enum Refusal: Hashable, Sendable {
    /// `display` of an id that the banner has no view for; the current view stays.
    case unknownView(String)
    /// `openUrl` of something other than an http, https or reddot: address, or of a second one in one event.
    case address(String)
    /// `setFlag` with a value that neither sets nor clears the flag, or with a name that is too long.
    case flag(String)
  }

  /// The changes that the script makes to the page's elements, in their order.
  package private(set) var changes: [ViewChange] = []
  /// The flags that the script sets or clears.
  package private(set) var flags: [Flag] = []
  /// The address that is shown to the user and opened, or `nil` for none.
  package private(set) var address: String?
  /// The id of the view to show next, or `nil` if the current view stays.
  package private(set) var view: String?
  /// Whether the script closes the banner.
  package private(set) var isClosed = false
  /// The refused calls, without duplicates.
  package private(set) var refusals: [Refusal] = []

  /// A named flag of a banner, which a script sets or clears.
  package struct Flag: Hashable, Sendable {
    package var name: String
    package var isSet: Bool

    package init(name: String, isSet: Bool) {
      self.name = name
      self.isSet = isSet
    }
  }

  /// Decides on the calls of a script for one event.
  ///
  /// - Parameter views: the ids of the banner's views, compared byte by byte.
  package init(_ calls: [ScriptCall], views: [String]) {
    for call in calls {
      // Calls after a close come from a view that is gone; only an address to open is still used.
      if isClosed {
        guard case .openURL = call else { continue }
      }
      take(call, views)
    }
  }

  /// Decides on one call.
  private mutating func take(_ call: ScriptCall, _ views: [String]) {
    switch call {
    case .close: isClosed = true
    case .display(let id):
      if views.contains(where: { $0.utf8.elementsEqual(id.utf8) }) {
        view = id
      } else {
        refuse(.unknownView(id))
      }
    case .setFlag(let name, let value):
      if name.utf8.count <= Limits.flagNameBytes, let isSet = Self.flag(value) {
        flags.append(Flag(name: name, isSet: isSet))
      } else {
        refuse(.flag(name))
      }
    case .openURL(let text):
      // One for each press: a script must not open many pages.
      if address == nil, let openable = ScriptAddress.openable(text) {
        address = openable
      } else {
        refuse(.address(text))
      }
    case .setText(let element, let text): change(.text(element: element, text), text)
    case .setHTML(let element, let text): change(.html(element: element, text), text)
    case .setHidden(let element, let isHidden): change(.hidden(element: element, isHidden), "")
    case .setClickable(let element, let isClickable): change(.clickable(element: element, isClickable), "")
    }
  }

  /// Returns `true` for a value that sets a flag, `false` for a value that clears it, and `nil` for any other value.
  private static func flag(_ value: String) -> Bool? {
    switch value {
    case "true", "yes", "1": true
    case "false", "no", "0", "": false
    case _: nil
    }
  }

  /// Adds a change of the page. Changes after `display` are dropped, because another view replaces the page.
  private mutating func change(_ change: ViewChange, _ text: String) {
    if view == nil, text.utf8.count <= Limits.scriptTextBytes { changes.append(change) }
  }

  /// Adds a refused call, at most five different ones.
  private mutating func refuse(_ refusal: Refusal) {
    if !refusals.contains(refusal), refusals.count < 5 { refusals.append(refusal) }
  }
}

/// Checks the addresses that `openUrl` may open.
enum ScriptAddress {
  /// Returns the address in printable ASCII, so that the address that is displayed is the one that is opened. Returns
  /// `nil` if it must not be opened.
  static func openable(_ text: String) -> String? {
    let text = text.drop { $0.isWhitespace }
    guard text.utf8.count <= Limits.addressBytes, let colon = text.firstIndex(of: ":") else { return nil }
    let rest = text[text.index(after: colon)...]
    switch text[..<colon].lowercased() {
    case "http", "https":
      let host = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
      let name = host.split(onBytes: "@", omittingEmptySubsequences: false).last ?? ""
      guard rest.hasPrefix("//"), !name.isEmpty, !name.hasPrefix(":") else { return nil }
    case "reddot":
      let parts = rest.split(onBytes: "/", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[1].isEmpty else { return nil }
      guard parts[0] == "source" || parts[0] == "message" && Int64(parts[1]) != nil else { return nil }
    case _: return nil
    }
    return text.percentEncoded { (0x21...0x7E).contains($0) }
  }
}
