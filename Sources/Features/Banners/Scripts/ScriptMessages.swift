import Basics

/// A request from the parent to the script's process, as one line of JSON.
package struct ScriptRequest: Hashable, Sendable, Codable {
  package enum Event: Hashable, Sendable, Codable {
    /// The view was laid out; the scripts are its script blocks, in document order.
    case load(scripts: [String])
    /// Code of an `onclick` attribute or a `javascript:` link; `element` is `this`.
    case run(code: String, element: String?)
    /// The `onclick` that a script added to an element.
    case click(element: String)
    /// Only the size changed.
    case resize
  }

  package var event: Event
  /// The elements that have an id, in their current state; `nil` if they haven't changed since the last request.
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

/// The calls of a script, in order; the parent decides on each.
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

/// The result of one event.
package struct ScriptReply: Hashable, Sendable {
  package var calls: [ScriptCall]
  /// The message of the exception, for the log and the publisher.
  package var error: String?

  package init(calls: [ScriptCall], error: String? = nil) {
    self.calls = calls
    self.error = error
  }
}

/// The line that the script's process writes.
struct ScriptAnswer: Codable {
  struct Call: Codable {
    var call: String
    var id: String?
    var name: String?
    var value: String?
    var flag: Bool?
  }

  var calls: [Call]
  var error: String?

  /// The reply, without calls of a form that the prelude never makes: a script may have changed the list.
  var reply: ScriptReply {
    ScriptReply(calls: calls.prefix(Limits.scriptCalls).compactMap(\.meaning), error: error)
  }
}

extension ScriptAnswer.Call {
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
