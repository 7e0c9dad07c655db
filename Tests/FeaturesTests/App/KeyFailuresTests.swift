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

/// Whatever a key brings to the bottom or into a form is there to its end: it may say what to do.
struct KeyFailuresTests {
  private static let host = "https://a-rather-long-name.of-a-host.example/feeds/all.xml"
  private static let file = "/home/ada/.config/reddot/config.toml"
  private static let database = "/home/ada/.local/share/reddot/reddot.sqlite"
  private static let reason = "the certificate has expired 12 days ago, on 17 November; set verify or ca_file"

  // MARK: All of them

  /// Each case with the one after it, so that none is left out.
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
    case .local: .hub(address: host, sentence: "this token may read no feed of the hub", isOfToken: true)
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
    case .inUse: .locked(path: database)
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
      RuleMistake(key: "when", problem: "titel isn't a field; did you mean title?"),
      Subscriptions.Unreadable(
        sentence: "/home/ada/Downloads/feeds.opml.gz cannot be unpacked: it is damaged or too large"),
      Credentials.Failure(reason: "token_command ended with status 1: gpg: decryption failed: No secret key"),
      LiveSettings.NotInSettings(name: "The news of a rather long name"), LiveSettings.NoSuchRule(),
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

  /// By which way a failure comes, with the request that was made for it.
  private static let ways: [(name: String, bring: @Sendable (inout AppState, String) -> Void)] = [
    (
      "an act",
      { state, reason in
        let id = state.pending.acts.add(.act(.read([MessageID(1)])))
        _ = update(&state, .refused(id, reason: reason))
      }
    ),
    (
      "a change",
      { state, reason in
        _ = update(&state, .settingsUnchanged(state.pending.ask(), reason: reason))
      }
    ),
    ("the store", { state, reason in _ = update(&state, .failed(.storage(reason: reason))) }),
    (
      "a link",
      { state, reason in _ = update(&state, .linkFailed(address: "https://a.example/7", reason: reason)) }
    ),
    ("a program", { state, reason in _ = update(&state, .programFailed(program: "w3m", reason: reason)) }),
    ("a command", { state, reason in _ = update(&state, .piped(command: "wc -l", .failed(reason: reason))) }),
    (
      "the prompt for an address",
      { state, reason in
        let request = state.pending.ask()
        state.dialog.prompt = .add(LineEditor("example"), .asking(request))
        _ = update(&state, .addAnswered(request, .refused(reason: reason)))
      }
    ),
    (
      "the prompt for a list",
      { state, reason in
        let request = state.pending.ask()
        state.dialog.prompt = .saveList(LineEditor("name"), query: "is:unread", .asking(request))
        _ = update(&state, .listSaved(request, name: "name", reason: reason))
      }
    ),
    (
      "the prompt for a file",
      { state, reason in
        let (request, given) = (state.pending.ask(), GivenMessages([]))
        state.dialog.prompt = .save(LineEditor("a.md"), given, .asking(request))
        _ = update(&state, .saved(request, given, .failed(reason: reason)))
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
        _ = update(&state, .formAnswered(request, reason: reason))
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
        _ = update(&state, .ruleSaved(request, draft, reason: reason))
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

  /// Whatever the breaks of its lines are: across the screen, or beside what a rule would do.
  private static func has(_ lines: [String], _ sentence: String) -> Bool {
    func letters(_ text: some StringProtocol) -> String { String(text.filter { $0 != " " }) }
    let wanted = letters(sentence).trimmingCharacters(in: [".", "?"])
    let left = lines.map { $0.prefix { $0 != "│" } }
    return letters(lines.joined()).contains(wanted) || letters(left.joined()).contains(wanted)
  }

  /// What the inbox says names no option of a command.
  @Test func noOptionIsOfferedInTheInbox() {
    for refusal in Self.refusals {
      if case .hubNames = refusal { continue }
      #expect(!refusal.sentence(offersOptions: false).contains("--"), "\(refusal)")
    }
    #expect(Self.refusals.contains { $0.sentence.contains("--force") })
  }
}
