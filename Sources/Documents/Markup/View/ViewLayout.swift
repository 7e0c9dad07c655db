package import Screen

/// The lines and controls of a view (the HTML page of a banner), laid out for a width.
package struct ViewLayout: Hashable, Sendable {
  /// The lines; none is wider than the width. `StyledText.Run.link` is the number of a control.
  package var lines: [StyledText] = []
  /// The controls, numbered from 1 in the order of their first position in the text.
  package var controls: [ViewControl] = []
  /// The index of the line in which each control begins, in the order of the controls, ascending.
  package private(set) var places: [Int] = []

  /// Creates an empty view.
  package init() {}

  /// Creates the layout from lines, and numbers the controls by their first position in them. Invisible controls are
  /// left out.
  init(_ lines: [StyledText], _ collector: ViewCollector) {
    var numbers: [Int: Int] = [:]
    for (place, line) in lines.enumerated() {
      let runs = line.runs.map { run in
        var run = run
        run.link = run.link.flatMap { number in
          if let known = numbers[number] { return known }
          let control = collector.controls[number - 1]
          guard control.isShown else { return nil }
          let label = collector.label(number)
          controls.append(ViewControl(number: controls.count + 1, label: label, action: control.action))
          places.append(place)
          numbers[number] = controls.count
          return controls.count
        }
        return run
      }
      self.lines.append(StyledText(runs: runs))
    }
  }
}

/// A link or a button of a view.
package struct ViewControl: Hashable, Sendable {
  /// The effect of pressing the control.
  package enum Action: Hashable, Sendable {
    /// Opens an absolute URL: http, https, mailto or reddot.
    case open(String)
    /// Runs the code of an `onclick` attribute or a `javascript:` link; `element` is the id of the pressed element, if
    /// it has one.
    case run(code: String, element: String?)
    /// Runs the `onclick` handler that a script set on an element.
    case click(element: String)
  }

  /// The number, from 1, which is also the `link` of the runs with the control's text.
  package var number: Int
  /// The text of the control, without the brackets of a button.
  package var label: SafeText
  package var action: Action

  /// Creates a control with its number in a layout.
  package init(number: Int, label: SafeText, action: Action) {
    self.number = number
    self.label = label
    self.action = action
  }
}
