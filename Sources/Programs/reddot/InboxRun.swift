import Foundation
import Interface
import Platform
import Profile
import Screen
import Session
import Settings
import Terminal
import Words

/// Opens the terminal, runs the inbox in it, and restores the terminal.
@MainActor
struct InboxRun {
  var profile: Profile
  /// A line that is always shown at the bottom.
  var notice: SafeText?
  var showsTimeline = false
  /// Called once the inbox is on the screen.
  var onStart: (@MainActor (InboxSession) -> Void)?
  /// Called at the end, also before a signal ends the process.
  var onEnd: (@Sendable () -> Void)?

  /// Whether the environment requests reduced motion; terminals have no setting for it.
  private var asksForLessMotion: Bool {
    ["REDUCE_MOTION", "REDUCED_MOTION", "NO_MOTION"].contains {
      !(profile.environment.variables[$0] ?? "").isEmpty
    }
  }

  private var hasHyperlinks: Bool {
    switch profile.settings.hyperlinks {
    case .auto: TerminalEnvironment(profile.environment.variables).hasHyperlinks
    case .always: true
    case .never: false
    }
  }

  /// Whether to query the terminal for the width of its symbols.
  private var asksForWidth: Bool {
    profile.settings.signs == .auto && !profile.settings.hasScreenReader
      && profile.environment.isEastAsian
  }

  /// Whether to query the terminal for its background, on which the style of the selected row depends.
  private var asksForBackground: Bool {
    let theme = profile.settings.theme
    return theme.selectionGround(on: .dark) != theme.selectionGround(on: .light)
  }

  private var graphics: GraphicsProtocol? {
    switch profile.settings.pictureUse {
    case .auto: TerminalEnvironment(profile.environment.variables).graphics
    case .kitty: .kitty
    case .sixel: .sixel
    case .blocks: nil
    }
  }

  func run() async throws {
    let variables = profile.environment.variables
    let terminal = try NcursesTerminal(
      TerminalOptions(
        terminalType: variables["TERM"], namesUTF8: profile.environment.isUTF8,
        usesColors: (variables["NO_COLOR"] ?? "").isEmpty,
        usesMouse: profile.settings.usesMouse,
        usesClipboard: TerminalEnvironment(variables).hasClipboard,
        usesHyperlinks: hasHyperlinks, asksForWidth: asksForWidth,
        asksForBackground: asksForBackground, graphics: graphics,
        notices: NoticeSupport(in: variables),
        escapeDelay: profile.settings.escapeDelay ?? TerminalEnvironment(variables).escapeDelay
          ?? .milliseconds(25),
        now: profile.environment.timer.stopwatch(), stopping: profile.betweenWrites
      ))
    let screen = TerminalInboxScreen(terminal, allowsMotion: !terminal.isSlow && !asksForLessMotion)
    let options = InterfaceOptions(profile, screen: screen, notice: notice)
    let session = InboxSession(
      profile: profile, screen: screen, options: options, scripts: Composition.scripts,
      timeline: showsTimeline)
    onStart?(session)
    let signal = await session.run(keymapProblems: profile.settings.keymap.problems)
    terminal.close()
    let lastMoment = LastMoment(
      session, programs: profile.environment.programs, signal: signal, onEnd: onEnd)
    lastMoment.startTimer()
    await session.windDown()
    lastMoment.cancelTimer()
    profile.environment.programs.killAll()
    onEnd?()
    if let signal { Self.die(of: signal) }
  }

  /// Ends this process with a signal, so that its parent process sees the signal. The thread of the main queue may
  /// block signals, so the signal is unblocked first.
  nonisolated static func die(of signal: Int32) {
    Foundation.signal(signal, SIG_DFL)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, signal)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(signal)
  }
}
