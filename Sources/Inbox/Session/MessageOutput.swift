import Basics
import Foundation
import Interface
import Messages
import Platform
import Profile
import Screen
import Settings
import Storage
import Words

/// Passes messages to programs and files, as text, HTML, Markdown or JSON, and starts the settings' own programs.
@MainActor
final class MessageOutput {
  private let loop: InboxLoop
  private let reader: StoreReader
  private let programs: ProgramRuns
  private let threads = WorkThreads()

  init(_ loop: InboxLoop, _ reader: StoreReader, _ programs: ProgramRuns) {
    self.loop = loop
    self.reader = reader
    self.programs = programs
  }

  func perform(_ effect: ProgramEffect) {
    switch effect {
    case .pipe(let given, let form, let command): pipe(given, form, into: command)
    case .save(let given, let path, let replacing, let request):
      save(given, path, replacing: replacing, request)
    case .run(let words, let inTerminal): programs.run(words, inTerminal: inTerminal)
    case .showInPager(let message): page(message)
    case .showDemo: programs.showDemo()
    }
  }

  /// Passes messages to the user's command: a line for the shell, which never contains parts of a message.
  private func pipe(_ given: GivenMessages, _ form: MessageForm, into command: String) {
    let environment = loop.profile.environment
    loop.finishBeforeEnd(
      Task { [self] in
        let end: PipeEnd
        var onlyFirst: Int?
        do {
          let (messages, count) = try await messages(given)
          let bytes = try await bytes(of: messages, as: form)
          onlyFirst = count
          var program = Program(
            ["/bin/sh", "-c", command], environment: environment.variables,
            outputLimit: Limits.pipeOutputBytes, deadline: Limits.pipeTime)
          program.input = bytes
          let outcome = try await environment.programs.outcome(of: program)
          let output = String(decoding: outcome.output.suffix(4096), as: UTF8.self)
          let printed = output.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }
          end = .ended(status: outcome.status, said: outcome.lastComplaint ?? printed.map(String.init))
        } catch {
          end = .failed(reason: InboxLoop.reason(error))
        }
        loop.happened(.programs(.piped(command: command, end, onlyFirst: onlyFirst)))
      })
  }

  /// Writes messages to a file, in the format of the file's extension.
  private func save(_ given: GivenMessages, _ typed: String, replacing: Bool, _ request: RequestID) {
    let file = SavedFile(typed: typed, home: loop.profile.environment.home)
    let permit = loop.requests.begin(request)
    loop.finishBeforeEnd(
      Task { [self] in
        let answer: SaveAnswer
        do {
          let (messages, onlyFirst) = try await messages(given)
          let bytes = try await bytes(of: messages, as: MessageForm(file: file.path))
          let isWritten = await threads.run {
            Result {
              try permit.use()
              return try file.write(Data(bytes), replacing: replacing)
            }
          }
          answer = try isWritten.get() ? .saved(path: file.path, onlyFirst: onlyFirst) : .isThere
        } catch {
          answer = .failed(reason: InboxLoop.reason(error))
        }
        guard loop.requests.end(request) else { return }
        loop.happened(.programs(.saved(request, given, answer)))
      })
  }

  /// Shows a message's text in the user's pager.
  private func page(_ id: MessageID) {
    let columns = loop.screen.size.columns
    programs.page(
      { [self] in try await bytes(of: [message(id)], as: .text, columns: columns) },
      name: "message-\(id.rawValue).txt")
  }

  private func message(_ id: MessageID) async throws -> Message {
    guard let stored = try await reader.read({ store throws(StoreFailure) in try store.messages.find(id) })
    else {
      throw Gone(words: loop.profile.words)
    }
    return loop.profile.presented(stored)
  }

  /// Returns the messages for a program or a file, within `Limits`.
  ///
  /// - Returns: `onlyFirst` is their number if there were more, otherwise `nil`.
  private func messages(_ given: GivenMessages) async throws -> (messages: [Message], onlyFirst: Int?) {
    let keys = try await reader.read { store throws(StoreFailure) in
      try store.lists.keys(of: given, limit: Limits.givenMessages + 1)
    }
    var messages: [Message] = []
    var size = 0
    var isCut = keys.count > Limits.givenMessages
    for key in keys.prefix(Limits.givenMessages) {
      if size >= Limits.givenMessageBytes {
        isCut = true
        break
      }
      do {
        let message = try await self.message(key.id)
        size += message.content.body.utf8.count + (message.content.html?.utf8.count ?? 0)
        messages.append(message)
      } catch let gone as Gone {
        // If there were several, the others are still there.
        if keys.count == 1 { throw gone }
      }
    }
    if messages.isEmpty { throw Gone(words: loop.profile.words) }
    return (messages, isCut ? messages.count : nil)
  }

  /// Returns messages in the format for a program or a file.
  ///
  /// - Parameter columns: the width of wrapped lines.
  private func bytes(of messages: [Message], as form: MessageForm, columns: Int = 80) async throws -> [UInt8]
  {
    let (profile, options) = (loop.profile, loop.state.options)
    let text = await threads.run { () -> Result<String, any Error> in
      Result {
        if form == .json {
          let printer = MessagePrinter(profile)
          return messages.map { printer.json($0) + "\n" }.joined()
        }
        let sources = try profile.sourceStatuses()
        switch form {
        case .html: return PaperPage.html(messages, of: sources, options: options)
        case .markdown:
          return messages.map { PaperPage.markdown($0, of: sources, options: options) }
            .joined(separator: PaperPage.separator)
        case .text, .json:
          return messages.map { message in
            let lines = PaperPage.lines(message, of: sources, columns: columns, options: options)
            return lines.map { $0.plain + "\n" }.joined()
          }.joined(separator: PaperPage.separator)
        }
      }
    }
    return Array(try text.get().utf8)
  }

  /// The message is no longer stored.
  private struct Gone: UserFacingError {
    let sentence: String

    init(words: Words) { sentence = words(.messageGone).text }
  }
}
