import Basics

/// A request from the parent to the script's process, as one line of JSON.
package struct ScriptRequest: Hashable, Sendable, Codable {
  /// An event that scripts handle.
  package enum Event: Hashable, Sendable, Codable {
    /// The view was laid out for the first time. `scripts` are its script blocks, in document order.
    case load(scripts: [String])
    /// A control was pressed whose code is in an `onclick` attribute or a `javascript:` link. `element` is
    /// the id of the element that is `this` in the code.
    case run(code: String, element: String?)
    /// An element was pressed to which a script added an `onclick`.
    case click(element: String)
    /// The view was laid out again at another size; nothing was pressed.
    case resize
  }

  package var event: Event
  /// The elements that have an id, in their current state, or `nil` if they haven't changed since the last request.
  package var elements: [ScriptElement]?
  /// The current size of the view, in points.
  package var width: Double
  package var height: Double

  package init(event: Event, elements: [ScriptElement]? = nil, width: Double, height: Double) {
    self.event = event
    self.elements = elements
    self.width = width
    self.height = height
  }
}

/// An element that has an id, as scripts see it.
package struct ScriptElement: Hashable, Sendable, Codable {
  package var id: String
  package var textContent: String
  package var innerHTML: String
  package var hidden: Bool

  package init(id: String, textContent: String, innerHTML: String, hidden: Bool) {
    self.id = id
    self.textContent = textContent
    self.innerHTML = innerHTML
    self.hidden = hidden
  }
}

/// A call that a script made. The parent process decides whether it is carried out.
package enum ScriptCall: Hashable, Sendable {
  case close
  case display(String)
  case setFlag(name: String, value: String)
  case openURL(String)
  case setText(element: String, String)
  case setHTML(element: String, String)
  case setHidden(element: String, Bool)
  /// A script added an `onclick` to an element, or removed it.
  case setClickable(element: String, Bool)
}

/// The result of running one event.
package struct ScriptReply: Hashable, Sendable {
  package var calls: [ScriptCall]
  /// The message of the script's exception, for the log and the publisher, or `nil` if there was none.
  package var error: String?

  package init(calls: [ScriptCall], error: String? = nil) {
    self.calls = calls
    self.error = error
  }
}

/// The response that the script's process writes, as one line of JSON.
struct ScriptAnswer: Codable {
  /// A call as the JavaScript of `ScriptPrelude` encodes it, possibly changed by a script.
  struct Call: Codable {
    var call: String
    var id: String?
    var name: String?
    var value: String?
    var flag: Bool?
  }

  var calls: [Call]
  var error: String?

  /// The reply with the valid calls. Calls in a form that `ScriptPrelude` never uses are left out, because a
  /// script may have changed the list.
  var reply: ScriptReply {
    ScriptReply(calls: calls.prefix(Limits.scriptCalls).compactMap(\.meaning), error: error)
  }
}

extension ScriptAnswer.Call {
  /// The call, or `nil` if its form is invalid.
  fileprivate var meaning: ScriptCall? {
    switch (call, id, name, value, flag) {
    case ("close", _, _, _, _): .close
    case ("display", let id?, _, _, _): .display(id)
    case ("setFlag", _, let name?, let value?, _): .setFlag(name: name, value: value)
    case ("openUrl", _, _, let value?, _): .openURL(value)
    case ("text", let id?, _, let value?, _): .setText(element: id, value)
    case ("html", let id?, _, let value?, _): .setHTML(element: id, value)
    case ("hidden", let id?, _, _, let flag?): .setHidden(element: id, flag)
    case ("onclick", let id?, _, _, let flag?): .setClickable(element: id, flag)
    case _: nil
    }
  }
}
