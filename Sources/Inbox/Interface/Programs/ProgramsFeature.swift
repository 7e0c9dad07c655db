import Foundation
import Markup
package import Messages
import Screen
import Words

package enum ProgramAction: Hashable, Sendable {
  /// The response to `pipe` when the command has exited; `onlyFirst` is the number of messages that it got, if there
  /// were too many.
  case piped(command: String, PipeEnd, onlyFirst: Int? = nil)
  /// The response to `save`, with the messages of the request and the result.
  case saved(RequestID, GivenMessages, SaveAnswer)
  /// A program for the terminal did not start or failed; `reason` is a clause.
  case failed(program: String, reason: String)
  /// A program that was started while the inbox continued, with its arguments, has exited and did not fail.
  case ended([String])
}

package enum ProgramEffect: Hashable, Sendable {
  /// Passes messages to the standard input of a command, a line for the shell. The response is `piped`.
  case pipe(GivenMessages, MessageForm, command: String)
  /// Writes messages to a file with the path as typed. The response is `saved`.
  case save(GivenMessages, path: String, replacing: Bool, RequestID)
  /// Starts a program in the settings with its arguments. The response is `failed`, or `ended` if it doesn't use the
  /// terminal.
  case run([String], inTerminal: Bool)
  /// Shows a message in the user's pager, which uses the terminal meanwhile.
  case showInPager(MessageID)
  /// Shows the demo, which uses the terminal meanwhile.
  case showDemo
}

extension AppState {
  mutating func reduce(_ action: ProgramAction) -> [Effect] {
    switch action {
    case .piped(let command, let end, let count): apply(end, of: command, onlyFirst: count)
    case .saved(let request, let given, let answer): return saveEnded(answer, for: given, request)
    case .failed(let program, let reason):
      report(words(.programFailed, SafeText(untrusted: program), SafeText(untrusted: reason)), .failure)
    case .ended(let words): runningEnded(words.joined(separator: " "))
    }
    return []
  }

  /// Performs a command that passes messages to programs or files; returns `nil` for any other command.
  mutating func performPrograms(_ command: Command, count: Int?) -> [Effect]? {
    switch command {
    case .pipe: return askForCommand(MessageForm(count: count))
    case .save: return askForFile()
    case .pager: return single.map { [.programs(.showInPager($0.id))] } ?? []
    case .demo: return [.programs(.showDemo)]
    case _: return nil
    }
  }

  // MARK: Messages for a command

  /// Returns the marked messages, or the message that keys apply to if there are none.
  private func givenMessages() -> GivenMessages? {
    if focus.pane == .messages, !shown.list.marks.isEmpty {
      let given = shown.list.given()
      return given.keys.isEmpty && given.parts.isEmpty ? nil : given
    }
    return single.map { GivenMessages([$0.key]) }
  }

  private mutating func askForCommand(_ form: MessageForm) -> [Effect] {
    guard let given = givenMessages() else { return [] }
    dialog.prompt = Prompt(.pipe(given, form))
    return []
  }

  mutating func pipe(_ given: GivenMessages, _ form: MessageForm, into command: String) -> [Effect] {
    dialog.prompt = nil
    guard !command.isEmpty else { return [] }
    input.pipe = command
    if focus.pane == .messages { shown.list.marks.clear() }
    report(words(.pipeRunning, SafeText(untrusted: command)))
    return [.programs(.pipe(given, form, command: command))]
  }

  /// Reports the result of a command that got messages.
  ///
  /// - Parameter onlyFirst: the number of messages that it got, if there were too many.
  private mutating func apply(_ end: PipeEnd, of command: String, onlyFirst: Int?) {
    let command = SafeText(untrusted: command)
    // The requested result is shown, even in place of a failure that was not visible for long. That failure is on the
    // page of reports.
    statusLine.toast = nil
    switch end {
    case .ended(let status, let said):
      let text =
        said.map { words(.pipeSaid, command, "\(status)", SafeText(untrusted: $0)) }
        ?? words(.pipeEnded, command, "\(status)")
      report(saying(text, onlyFirst: onlyFirst), status != 0 ? .failure : onlyFirst == nil ? .news : .warning)
    case .failed(let reason):
      report(words(.pipeFailed, command, SafeText(untrusted: reason)), .failure)
    }
  }

  /// Returns the sentence; if there were too many messages, it also reports how many were used.
  private func saying(_ text: SafeText, onlyFirst: Int?) -> SafeText {
    onlyFirst.map { words(.onlyFirst, "\($0)", text) } ?? text
  }

  // MARK: A program of the settings

  /// Runs a program of the settings, with the link of this number if the program needs a URL.
  mutating func run(_ template: ProgramTemplate, number: Int?) -> [Effect] {
    guard template.needsMessage else { return start(template, address: nil, of: nil) }
    if template.uses(.url) { return withLink(.run(template), number: number) }
    return single.map { start(template, address: nil, of: $0) } ?? []
  }

  /// Starts a program of the settings, with the message's values in place of its placeholders.
  ///
  /// - Parameters:
  ///   - address: the message's URL, if the program needs one.
  ///   - row: the message, if the program needs one.
  mutating func start(_ template: ProgramTemplate, address: String?, of row: MessageRow?) -> [Effect] {
    var values: [ProgramTemplate.Placeholder: String] = [:]
    if let address {
      guard let openable = OpenableAddress(address), openable.place == .outside else {
        return report(words(.linkRefused, SafeText(untrusted: address)), .warning)
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
    return [.programs(.run(words, inTerminal: template.usesTerminal))]
  }

  /// Shows a sentence until the last of some running programs has exited.
  ///
  /// - Parameter programs: each by its URL, or by its arguments.
  mutating func sayRunning(_ text: SafeText, _ programs: [String]) {
    let toast = Toast(text)
    pending.running = RunningPrograms(toast: toast, left: programs)
    statusLine.toast = toast
  }

  /// Records that a program has exited; after the last one, removes the sentence about running programs.
  mutating func runningEnded(_ program: String) {
    guard let place = pending.running?.left.firstIndex(of: program) else { return }
    pending.running?.left.remove(at: place)
    guard let running = pending.running, running.left.isEmpty else { return }
    pending.running = nil
    if statusLine.toast == running.toast { statusLine.toast = nil }
  }

  // MARK: Messages in a file

  private mutating func askForFile() -> [Effect] {
    guard let given = givenMessages() else { return [] }
    let row = ([target].compactMap { $0 } + shown.list.loaded).first { given == GivenMessages([$0.key]) }
    let name = row.map { MessageForm.fileName(title: $0.title, id: $0.id.rawValue) } ?? "messages.md"
    dialog.prompt = Prompt(.save(given), name)
    return []
  }

  mutating func save(_ given: GivenMessages, path: String, replacing: Bool) -> [Effect] {
    dialog.prompt?.subject = .save(given)
    return [.programs(.save(given, path: path, replacing: replacing, askInPrompt()))]
  }

  /// Reports the result of saving messages. If the file already exists, the prompt asks whether to replace it.
  private mutating func saveEnded(
    _ answer: SaveAnswer, for given: GivenMessages, _ request: RequestID
  ) -> [Effect] {
    switch answer {
    case .saved(let path, let onlyFirst):
      if dialog.endPrompt(request), focus.pane == .messages { shown.list.marks.clear() }
      let text = words(.saved, SafeText(untrusted: path))
      report(saying(text, onlyFirst: onlyFirst), onlyFirst == nil ? .news : .warning)
    case .isThere:
      guard dialog.prompt?.phase == .asking(request) else { return sayTooLate() }
      // An Enter that was typed ahead must not replace the file.
      dropWaiting()
      dialog.prompt?.subject = .save(given, isThere: true)
      dialog.prompt?.phase = .editing
    case .failed(let reason): refuse(request, SafeText(untrusted: reason))
    }
    return []
  }
}
