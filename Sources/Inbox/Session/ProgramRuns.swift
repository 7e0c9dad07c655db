import Foundation
import Interface
import Logging
import Messages
import Platform
import Profile
import Settings
import Storage
import Words

/// The programs that the user starts from the inbox: for links and sounds, of the settings, pager and editor.
@MainActor
final class ProgramRuns {
  private let loop: InboxLoop
  /// Whether the inbox is open: it uses the terminal itself, or lends it to a program.
  var isRunning = false
  /// The program that uses the terminal.
  private var foreground: StartedProgram?

  init(_ loop: InboxLoop) { self.loop = loop }

  /// Whether a program uses the terminal: its screen isn't ours.
  var haveTerminal: Bool { foreground != nil }

  /// Ends the program that uses the terminal.
  func endForeground() { foreground?.end() }

  private var variables: [String: String] { loop.profile.environment.variables }

  /// Opens a link, or an attachment, with the program that the settings specify for it.
  func open(_ link: String, isEnclosure: Bool = false) {
    let settings = loop.profile.settings
    let enclosures = isEnclosure ? settings.enclosureCommand : nil
    var opener = LinkOpener(
      command: enclosures ?? settings.openCommand, environment: variables,
      programs: loop.profile.environment.programs)
    if enclosures != nil { opener.setting = "enclosure_command" }
    do throws(LinkOpener.Failure) {
      if opener.command.usesTerminal {
        let words = try opener.words(for: link)
        loop.finishBeforeEnd(
          Task { [weak self] in
            await self?.runInTerminal(words)
            self?.loop.happened(.links(.opened(address: link)))
          })
      } else {
        let program = try opener.start(link)
        // The program may outlive the inbox, so the end of the inbox does not wait for it.
        Task { [loop, opener] in
          let failure = await opener.failure(of: program)
          loop.happened(
            failure.map { .links(.failed(address: link, reason: $0.reason)) }
              ?? .links(.opened(address: link)))
        }
      }
    } catch {
      loop.answer(.links(.failed(address: link, reason: error.reason)))
    }
  }

  /// Runs the demo with this program in the terminal, until the user leaves it.
  func showDemo() {
    let words = loop.profile.ownProgram + ["demo"]
    loop.finishBeforeEnd(Task { [weak self] in await self?.runInTerminal(words, named: "reddot demo") })
  }

  /// Plays a sound of the system, or rings the terminal's bell if that is not possible.
  func play(_ sound: String) {
    let profile = loop.profile
    let player = SoundPlayer(
      command: profile.settings.soundCommand, environment: variables,
      programs: profile.environment.programs)
    Task { [screen = loop.screen] in
      if await !player.play(sound) { screen.ringBell() }
    }
  }

  /// Copies text to the clipboard with tmux, or with the terminal's sequence outside of tmux.
  func copy(_ text: String, _ request: RequestID) {
    guard let tmux = TmuxClipboard(loop.profile.environment, log: loop.log) else {
      return loop.answer(.links(.copied(request, text, isSent: loop.screen.copyToClipboard(text))))
    }
    loop.finishBeforeEnd(
      Task { [loop] in
        let isSent = await tmux.copy(text)
        loop.happened(.links(.copied(request, text, isSent: isSent)))
      })
  }

  /// Starts a program of the settings.
  func run(_ words: [String], inTerminal: Bool) {
    if inTerminal {
      loop.finishBeforeEnd(Task { [weak self] in await self?.runInTerminal(words) })
      return
    }
    let program: StartedProgram
    do {
      program = try StartedProgram(words, environment: variables, .apart)
    } catch {
      return loop.answer(.programs(.failed(program: words.first ?? "", reason: error.words)))
    }
    // The program may outlive the inbox, so the end of the inbox does not wait for it.
    Task { [loop] in
      let failure = await program.ending().failure(complaint: program.lastComplaint)
      loop.happened(
        failure.map { .programs(.failed(program: words[0], reason: $0.words)) } ?? .programs(.ended(words)))
    }
  }

  /// Runs a program that uses the terminal until it ends.
  func runInTerminal(_ words: [String], named name: String? = nil) async {
    do {
      let environment = variables
      let ending = try await lendTerminal {
        try StartedProgram(words, environment: environment, .terminal(input: nil))
      }
      if let failure = ending?.failure() { throw failure }
    } catch {
      loop.happened(.programs(.failed(program: name ?? words.first ?? "", reason: InboxLoop.reason(error))))
    }
  }

  /// Shows text in the user's pager, which uses the terminal until it exits.
  ///
  /// - Parameters:
  ///   - text: reads the text.
  ///   - name: the name of the file, for a pager that needs one.
  func page(_ text: @escaping @MainActor () async throws -> [UInt8], name: String) {
    let pager = Pager(environment: variables)
    loop.finishBeforeEnd(
      Task { [weak self, loop] in
        do {
          let text = try await text()
          // This is the folder of the file for an editor.
          let folder = try TemporaryFolder("reddot")
          defer {
            do { try FileManager.default.removeItem(atPath: folder.path) } catch {
              loop.log?.warning("\(folder.path): \(error)")
            }
          }
          let file = URL(fileURLWithPath: "\(folder.path)/\(name)")
          guard let ending = try await self?.lendTerminal(to: { try pager.start(text, file: file) }) else {
            return
          }
          if let failure = ending.failure() { throw failure }
        } catch {
          loop.happened(.programs(.failed(program: pager.name, reason: InboxLoop.reason(error))))
        }
      })
  }

  /// Lends the terminal to a program until it exits. Meanwhile nothing is drawn.
  ///
  /// - Returns: the result, or `nil` if another program uses the terminal.
  private func lendTerminal(
    to start: () throws -> StartedProgram
  ) async throws -> StartedProgram.Ending? {
    guard foreground == nil, isRunning else { return nil }
    loop.screen.lend()
    defer {
      foreground = nil
      loop.screen.resume()
      loop.screenReturned()
    }
    let program = try start()
    foreground = program
    return await program.ending()
  }
}
