import Foundation
import Markup
import Messages
import Screen
import Words

extension AppState {
  // MARK: Messages for a command

  /// What is marked, else the message that keys act on.
  private func givenMessages() -> GivenMessages? {
    if focus.pane == .messages, !shown.list.marks.isEmpty {
      let given = shown.list.given()
      return given.keys.isEmpty && given.parts.isEmpty ? nil : given
    }
    return single.map { GivenMessages([$0.key]) }
  }

  mutating func askForCommand(_ form: MessageForm) -> [Effect] {
    guard let given = givenMessages() else { return [] }
    dialog.prompt = .pipe(LineEditor(), given, form)
    return []
  }

  mutating func pipe(_ given: GivenMessages, _ form: MessageForm, into text: String) -> [Effect] {
    dialog.prompt = nil
    let command = text.trimmingCharacters(in: .whitespaces)
    guard !command.isEmpty else { return [] }
    input.pipe = command
    if focus.pane == .messages { shown.list.marks.clear() }
    statusLine.toast = Toast(words(.pipeRunning, SafeText(untrusted: command)))
    return [.pipe(given, form, command: command)]
  }

  /// - Parameter onlyFirst: how many of the messages it got, where there were too many.
  mutating func apply(_ end: PipeEnd, of command: String, onlyFirst: Int?) {
    let command = SafeText(untrusted: command)
    // What was asked for is said, also after a failure that could not be read yet: that one is on the page of what was said.
    statusLine.toast = nil
    switch end {
    case .ended(let status, let said):
      let text =
        said.map { words(.pipeSaid, command, "\(status)", SafeText(untrusted: $0)) }
        ?? words(.pipeEnded, command, "\(status)")
      statusLine.toast = Toast(
        saying(text, onlyFirst: onlyFirst), status != 0 ? .failure : onlyFirst == nil ? .news : .warning)
    case .failed(let reason):
      statusLine.toast = Toast(words(.pipeFailed, command, SafeText(untrusted: reason)), .failure)
    }
  }

  private func saying(_ text: SafeText, onlyFirst: Int?) -> SafeText {
    onlyFirst.map { words(.onlyFirst, "\($0)", text) } ?? text
  }

  // MARK: A program of the settings

  mutating func run(_ template: ProgramTemplate, number: Int?) -> [Effect] {
    guard template.needsMessage else { return start(template, address: nil, of: nil) }
    if template.uses(.url) { return withLink(.run(template), number: number) }
    return single.map { start(template, address: nil, of: $0) } ?? []
  }

  /// - Parameters:
  ///   - address: the message's address, if the program needs one.
  ///   - row: the message, if the program needs one.
  mutating func start(_ template: ProgramTemplate, address: String?, of row: MessageRow?) -> [Effect] {
    var values: [ProgramTemplate.Placeholder: String] = [:]
    if let address {
      guard let openable = OpenableAddress(address), openable.place == .outside else {
        statusLine.toast = Toast(words(.linkRefused, SafeText(untrusted: address)), .warning)
        return []
      }
      values[.url] = openable.text
    }
    if let row {
      let source = shown.sources.statuses.first { $0.source.id == row.source }
      values[.title] = SafeText(untrusted: row.title).text
      values[.source] = source?.source.name ?? ""
      values[.id] = String(row.id.rawValue)
    }
    let words = template.filled(values)
    if !template.usesTerminal {
      let text = SafeText(untrusted: words.joined(separator: " "))
      sayRunning(self.words(.pipeRunning, text), [words.joined(separator: " ")])
    }
    return [.run(words, inTerminal: template.usesTerminal)]
  }

  /// - Parameter programs: each by its address, or by its arguments.
  mutating func sayRunning(_ text: SafeText, _ programs: [String]) {
    let toast = Toast(text)
    pending.running = RunningPrograms(toast: toast, left: programs)
    statusLine.toast = toast
  }

  /// The sentence about programs goes with the last of them.
  mutating func runningEnded(_ program: String) {
    guard let place = pending.running?.left.firstIndex(of: program) else { return }
    pending.running?.left.remove(at: place)
    guard let running = pending.running, running.left.isEmpty else { return }
    pending.running = nil
    if statusLine.toast == running.toast { statusLine.toast = nil }
  }

  // MARK: Messages in a file

  mutating func askForFile() -> [Effect] {
    guard let given = givenMessages() else { return [] }
    let row = ([target].compactMap { $0 } + shown.list.loaded).first { given == GivenMessages([$0.key]) }
    let name = row.map { MessageForm.fileName(title: $0.title, id: $0.id.rawValue) } ?? "messages.md"
    dialog.prompt = .save(LineEditor(name), given, .editing)
    return []
  }

  mutating func save(_ given: GivenMessages, _ editor: LineEditor, replacing: Bool) -> [Effect] {
    let path = editor.text.trimmingCharacters(in: .whitespaces)
    guard !path.isEmpty else {
      dialog.prompt = nil
      return []
    }
    let request = pending.ask()
    dialog.prompt = .save(editor, given, .asking(request))
    return [.save(given, path: path, replacing: replacing, request)]
  }

  mutating func saveEnded(_ answer: SaveAnswer, for given: GivenMessages, _ request: RequestID) {
    var asked: LineEditor?
    if case .save(let editor, _, .asking(request))? = dialog.prompt { asked = editor }
    switch answer {
    case .saved(let path, let onlyFirst):
      if asked != nil { dialog.prompt = nil }
      if asked != nil, focus.pane == .messages { shown.list.marks.clear() }
      let text = words(.saved, SafeText(untrusted: path))
      statusLine.toast = Toast(saying(text, onlyFirst: onlyFirst), onlyFirst == nil ? .news : .warning)
    case .isThere:
      guard let asked else { return sayTooLate() }
      // An Enter that was typed ahead must not replace it.
      dropWaiting()
      dialog.prompt = .save(asked, given, .isThere)
    case .failed(let reason):
      let reason = SafeText(untrusted: reason)
      if let asked {
        dropWaiting()
        dialog.prompt = .save(asked, given, .failed(reason))
      } else {
        statusLine.toast = Toast(reason, .failure)
      }
    }
  }
}
