import Foundation
import Messages
import Screen

extension AppState {
  // MARK: A message for a command

  mutating func askForCommand(_ form: MessageForm) -> [Effect] {
    guard let row = target else { return [] }
    dialog.prompt = .pipe(LineEditor(), row.id, form)
    return []
  }

  mutating func pipe(_ id: MessageID, _ form: MessageForm, into text: String) -> [Effect] {
    dialog.prompt = nil
    let command = text.trimmingCharacters(in: .whitespaces)
    guard !command.isEmpty else { return [] }
    input.pipe = command
    statusLine.toast = Toast(words(.pipeRunning, SafeText(untrusted: command)))
    return [.pipe(id, form, command: command)]
  }

  mutating func take(_ end: PipeEnd, of command: String) {
    let command = SafeText(untrusted: command)
    switch end {
    case .ended(let status, let said):
      let text =
        said.map { words(.pipeSaid, command, "\(status)", SafeText(untrusted: $0)) }
        ?? words(.pipeEnded, command, "\(status)")
      statusLine.toast = Toast(text, status == 0 ? .news : .failure)
    case .failed(let reason):
      statusLine.toast = Toast(words(.pipeFailed, command, SafeText(untrusted: reason)), .failure)
    }
  }

  // MARK: A program of the settings

  mutating func run(_ template: ProgramTemplate, number: Int?) -> [Effect] {
    guard !template.needsMessage || target != nil else { return [] }
    return template.uses(.url) ? withLink(.run(template), number: number) : start(template, address: nil)
  }

  /// - Parameter address: the message's address, if the program needs one.
  mutating func start(_ template: ProgramTemplate, address: String?) -> [Effect] {
    var values: [ProgramTemplate.Placeholder: String] = [:]
    if let address {
      guard let openable = OpenableAddress(address), openable.place == .outside else {
        statusLine.toast = Toast(words(.linkRefused, SafeText(untrusted: address)), .warning)
        return []
      }
      values[.url] = openable.text
    }
    if let row = target {
      let source = shown.sources.statuses.first { $0.source.id == row.source }
      values[.title] = SafeText(untrusted: row.title).text
      values[.source] = source?.source.name ?? ""
      values[.id] = String(row.id.rawValue)
    }
    let words = template.filled(values)
    if !template.usesTerminal {
      let text = SafeText(untrusted: words.joined(separator: " "))
      statusLine.toast = Toast(self.words(.pipeRunning, text))
    }
    return [.run(words, inTerminal: template.usesTerminal)]
  }

  // MARK: A message in a file

  mutating func askForFile() -> [Effect] {
    guard let row = target else { return [] }
    let name = MessageForm.fileName(title: row.title, id: row.id.rawValue)
    dialog.prompt = .save(LineEditor(name), row.id, .editing)
    return []
  }

  mutating func save(_ id: MessageID, _ editor: LineEditor, replacing: Bool) -> [Effect] {
    let path = editor.text.trimmingCharacters(in: .whitespaces)
    guard !path.isEmpty else {
      dialog.prompt = nil
      return []
    }
    dialog.prompt = .save(editor, id, .asking)
    return [.save(id, path: path, replacing: replacing)]
  }

  mutating func take(_ answer: SaveAnswer, for id: MessageID) {
    var asked: LineEditor?
    if case .save(let editor, id, .asking)? = dialog.prompt { asked = editor }
    switch answer {
    case .saved(let path):
      if asked != nil { dialog.prompt = nil }
      statusLine.toast = Toast(words(.saved, SafeText(untrusted: path)))
    case .isThere: if let asked { dialog.prompt = .save(asked, id, .isThere) }
    case .failed(let reason):
      let reason = SafeText(untrusted: reason)
      if let asked {
        dialog.prompt = .save(asked, id, .failed(reason))
      } else {
        statusLine.toast = Toast(reason, .failure)
      }
    }
  }
}
