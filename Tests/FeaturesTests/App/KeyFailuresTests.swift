import Basics
import Foundation
import Messages
import Platform
import Screen
import Storage
import Testing
import Words

@testable import Interface
@testable import Profile
@testable import Services
@testable import Session
@testable import Settings
@testable import Subscriptions

/// Every failure that a key shows at the bottom or in a form is shown completely, since its end may contain the remedy.
struct KeyFailuresTests {
  private static let host = "https://a-rather-long-name.of-a-host.example/feeds/all.xml"
  private static let file = "/home/ada/.config/reddot/config.toml"
  private static let database = "/home/ada/.local/share/reddot/reddot.sqlite"
  private static let reason = "the certificate has expired 12 days ago, on 17 November; set verify or ca_file"

  // MARK: All of them

  /// Returns the case after another one, so that the compiler notices a missing case.
  private static func after(_ refusal: SourceAdder.Refusal) -> SourceAdder.Refusal? {
    switch refusal {
    case .badAddress("githb"): .badAddress("nowhere at all")
    case .badAddress: .known(name: "The news of a rather long name")
    case .known: .nameTaken("The news of a rather long name")
    case .nameTaken:
      .failed(
        address: host, .tls(host: "a.example", reason: reason), sentence: "No secure connection: \(reason).")
    case .failed:
      .missingScope(
        address: "https://gitlab.a-rather-long-name.example",
        MissingScope(
          scope: "api", has: ["read_api", "read_user", "read_repository", "read_registry", "sudo"],
          page: "https://gitlab.a-rather-long-name.example/-/user_settings/personal_access_tokens"))
    case .missingScope:
      .choices([FeedChoice(title: "News", url: host), FeedChoice(title: "", url: host + "?2")])
    case .choices: .elsewhere(host)
    case .elsewhere: .local("file:///home/ada/feeds/news.xml")
    case .local: .hub(address: host, sentence: "this token may not read any feed of the hub", isOfToken: true)
    case .hub: .hubNames(address: "https://hub.a-rather-long-name.example")
    case .hubNames: nil
    }
  }

  private static func after(_ failure: StoreFailure) -> StoreFailure? {
    switch failure {
    case .newerVersion: .olderVersion(path: database, found: 12)
    case .olderVersion: .corrupt(path: database, reason: "database disk image is malformed")
    case .corrupt: .foreign(path: database)
    case .foreign: .badBackup(path: database, reason: "its checksum is wrong")
    case .badBackup: .readOnly(path: database, reason: "Read-only file system")
    case .readOnly: .diskFull(path: database)
    case .diskFull: .opening(path: database, process: 123_456)
    case .opening: .repairing(path: database)
    case .repairing: .inUse(path: database)
    case .inUse: .usedByEarlier(path: database, process: 7)
    case .usedByEarlier: .noRoomToUpdate(path: database, mebibytes: 7)
    case .noRoomToUpdate: .locked(path: database)
    case .locked: .cannotOpen(path: database, reason: "Permission denied")
    case .cannotOpen: .inputOutput(path: database, reason: "Input/output error")
    case .inputOutput: .notLocal(name: "The news of a rather long name")
    case .notLocal: .nameTaken(name: "The news of a rather long name")
    case .nameTaken: .unknownSource(SourceID(7))
    case .unknownSource: .poll(.needsWhole)
    case .poll: .unexpected(path: database, reason: "UNIQUE constraint failed: source.name")
    case .unexpected: nil
    }
  }

  private static let refusals = Array(sequence(first: SourceAdder.Refusal.badAddress("githb"), next: after))

  private static let reasons: [String] = {
    let stores = sequence(first: StoreFailure.newerVersion(path: database, found: 60, known: 58), next: after)
    let others: [any UserFacingError] = [
      SettingsMistakes(mistakes: [
        SettingsMistake(
          file: file, line: 123, key: "source.tokn",
          problem: "is not a setting here; did you mean token? known are name, title, short, kind, url")
      ]),
      SettingsFile.Failure(path: file, reason: "cannot be written: Read-only file system"),
      SettingsFile(path: file, home: "/home/ada").byHand("add the rule there"),
      RuleMistake(key: "when", problem: "titel is not a field; did you mean title?"),
      Subscriptions.Unreadable(
        sentence: "/home/ada/Downloads/feeds.opml.gz cannot be unpacked: it is damaged or too large"),
      Credentials.Failure(reason: "token_command ended with status 1: gpg: decryption failed: No secret key"),
      LiveSettings.NotInSettings(name: "The news of a rather long name"), RuleWork.NoSuchRule(),
      LiveSettings.NoSuchList(), LiveSettings.BadName(),
      Profile.NotThere(table: .source, name: "The news of a rather long name"),
      Profile.NotTurned(
        name: "removed The news of a rather long name", isUndone: true,
        reason: "the settings have another source of that name now"),
      Profile.NotTurned(
        name: "added The news of a rather long name", isUndone: true,
        reason: "/home/ada/.config/reddot/sources.toml was edited there since"),
    ]
    return refusals.map { $0.sentence(offersOptions: false) } + stores.map(\.sentence)
      + others.map(\.sentence)
  }()

  // MARK: Where they come to

  /// The ways in which a failure arrives, with the request that caused it.
  private static let ways: [(name: String, bring: @Sendable (inout AppState, String) -> Void)] = [
    (
      "an act",
      { state, reason in
        let id = state.pending.acts.add(.act(.read([MessageID(1)])))
        _ = update(&state, .journal(.refused(id, reason: reason)))
      }
    ),
    (
      "a change",
      { state, reason in
        _ = update(&state, .settings(.unchanged(state.pending.ask(), reason: reason)))
      }
    ),
    ("the store", { state, reason in _ = update(&state, .failed(.store(.storage(reason: reason)))) }),
    (
      "a link",
      { state, reason in _ = update(&state, .links(.failed(address: "https://a.example/7", reason: reason))) }
    ),
    (
      "a program", { state, reason in _ = update(&state, .programs(.failed(program: "w3m", reason: reason))) }
    ),
    (
      "a command",
      { state, reason in _ = update(&state, .programs(.piped(command: "wc -l", .failed(reason: reason)))) }
    ),
    (
      "the prompt for an address",
      { state, reason in
        state.dialog.prompt = Prompt(.add, "example")
        let request = state.askInPrompt()
        _ = update(&state, .sources(.addAnswered(request, .refused(reason: reason))))
      }
    ),
    (
      "the prompt for a list",
      { state, reason in
        state.dialog.prompt = Prompt(.saveList(query: "is:unread"), "name")
        let request = state.askInPrompt()
        _ = update(&state, .savedLists(.saved(request, name: "name", reason: reason)))
      }
    ),
    (
      "the prompt for a file",
      { state, reason in
        let given = GivenMessages([])
        state.dialog.prompt = Prompt(.save(given), "a.md")
        let request = state.askInPrompt()
        _ = update(&state, .programs(.saved(request, given, .failed(reason: reason))))
      }
    ),
    (
      "a form",
      { state, reason in
        let request = state.pending.ask()
        var form = SourceForm(
          SourceFields(
            .source(SourceID(1)),
            entries: SourceFields.Field.ofSources.map { .init(field: $0, stored: "", usual: "") }))
        form.phase = .asking(request)
        state.dialog.form = form
        _ = update(&state, .forms(.answered(request, reason: reason)))
      }
    ),
    (
      "the form of a rule",
      { state, reason in
        let request = state.pending.ask()
        let row = RuleRow(name: "noise", condition: "title:x", actions: ["star"])
        state.dialog.ruleForm = RuleForm(row, besides: [row])
        state.dialog.ruleForm?.phase = .asking(request)
        let draft = RuleDraft(
          name: "noise", condition: "title:x", actions: ["star"], stops: false, replaces: "noise")
        _ = update(&state, .rules(.saved(request, draft, reason: reason)))
      }
    ),
  ]

  @Test(arguments: [Size(columns: 80, rows: 24), Size(columns: 40, rows: 10), Size(columns: 120, rows: 40)])
  func eachIsWhole(size: Size) {
    #expect(Self.reasons.count > 35 && Self.ways.count > 10)
    for (name, bring) in Self.ways {
      for reason in Self.reasons {
        var state = AppState(
          options: InterfaceOptions(words: .inLanguage("en"), zone: .gmt), size: size,
          now: Date(timeIntervalSince1970: 1_795_183_200))
        _ = update(&state, .started)
        bring(&state, reason)
        let lines = render(state, size).lines()
        #expect(Self.has(lines, reason), "\(name): \(reason)\n\(lines.joined(separator: "\n"))")
      }
    }
  }

  /// Whether the lines contain a sentence, wherever they are broken: across the screen, or next to a rule's trial.
  private static func has(_ lines: [String], _ sentence: String) -> Bool {
    func letters(_ text: some StringProtocol) -> String { String(text.filter { $0 != " " }) }
    let wanted = letters(sentence).trimmingCharacters(in: [".", "?"])
    let left = lines.map { $0.prefix { $0 != "│" } }
    return letters(lines.joined()).contains(wanted) || letters(left.joined()).contains(wanted)
  }

  /// Sentences of the inbox contain no option of a command.
  @Test func noOptionIsOfferedInTheInbox() {
    for refusal in Self.refusals {
      if case .hubNames = refusal { continue }
      #expect(!refusal.sentence(offersOptions: false).contains("--"), "\(refusal)")
    }
    #expect(Self.refusals.contains { $0.sentence.contains("--force") })
  }
}
