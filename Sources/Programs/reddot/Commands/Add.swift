import ArgumentParser
import Foundation
import Messages
import Notifications
import Platform
import Polling
import Profile
import Settings
import Subscriptions

/// `reddot add`
struct Add: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Follow a source.",
    discussion: """
      The address is checked first: for a web page that names its feed, that feed is followed. The source is \
      appended to the settings file; everything else in the file is kept, comments included.

      EXAMPLES:
        reddot add https://www.swift.org/atom.xml
        reddot add https://example.org --name example --interval 1h
        reddot add https://team.example/inbox --token-command "pass show team"
        reddot add ~/reminders.json --kind schedule
        reddot add github --token-command "pass show github"
        reddot add ntfy --server https://ntfy.sh/my-alerts
        reddot add https://hub.example --token-file ~/hub-token     all its feeds
        reddot add https://intranet.example/feed --ca-file ~/company-ca.pem
        reddot add --kind command --format lines --name disks -- df -h
      """)

  @OptionGroup var files: FileOptions
  @Argument(
    help:
      "An http, https, http+unix or file address, a host (with https), the path of a file, the name of a service, or a program.",
    completion: .serviceNames)
  var url: String?
  @Argument(parsing: .postTerminator, help: "A program and its arguments, after --.")
  var arguments: [String] = []
  @Option(help: ArgumentHelp("The name of the source (default: its title).", valueName: "name")) var name:
    String?
  @Option(help: "\(SourceKind.words()); by default what the content is.") var kind: SourceKind?
  @Option(help: ArgumentHelp("The time between polls, for example 30m.", valueName: "time")) var interval:
    String?
  @Option(help: ArgumentHelp("A command that prints the token.", valueName: "command")) var tokenCommand:
    String?
  @Option(help: ArgumentHelp("A file that contains the token.", valueName: "file")) var tokenFile: String?
  @Option(help: ArgumentHelp("An environment variable that contains the token.", valueName: "name"))
  var tokenEnv: String?
  @Option(
    help: ArgumentHelp(
      "A file of certificates (PEM) to trust in addition to the system's.", valueName: "file"))
  var caFile: String?
  @Option(
    help: ArgumentHelp("A file with your certificate (PEM) for the server, and its key.", valueName: "file"))
  var clientCertificate: String?
  @Option(help: ArgumentHelp("A file with that key, if it isn't in the same file.", valueName: "file"))
  var clientKey: String?
  @Flag(help: "Don't verify the server's certificate; --ca-file is safer.") var noVerify = false
  @Option(help: ArgumentHelp("For a service: its URL.", valueName: "address")) var server: String?
  @Option(help: ArgumentHelp("The name that belongs to the token.", valueName: "name"))
  var user: String?
  @Option(help: "The format of a program's output: items, nagios or lines.") var format: CommandFormat?
  @Flag(help: "Add it even if it cannot be read now.") var force = false

  func validate() throws {
    if let interval, DurationText.parse(interval).map({ $0 > .zero }) != true {
      throw ValidationError("--interval must be a time such as 90s, 10m or 2h")
    }
    if [tokenCommand, tokenFile, tokenEnv].compactMap({ $0 }).count > 1 {
      throw ValidationError("give only one of --token-command, --token-file and --token-env")
    }
    if clientKey != nil, clientCertificate == nil {
      throw ValidationError("--client-key needs --client-certificate")
    }
    if kind == .command {
      if program.isEmpty { throw ValidationError("give the program to run") }
    } else {
      if !arguments.isEmpty { throw ValidationError("only a program has arguments: --kind command") }
      if format != nil { throw ValidationError("--format is for --kind command") }
      if url == nil, service == nil {
        throw ValidationError("give an address, the path of a file, or the name of a service")
      }
    }
    if let kind, !kind.row.isPolled {
      throw ValidationError("a source of kind \(kind) has no address; add it to the settings with [[source]]")
    }
    try refuseMeaningless()
    if let name, !SourceName.isValid(name) {
      throw ValidationError("--name must be 1 to 64 visible characters")
    }
  }

  private var program: [String] { [url].compactMap(\.self) + arguments }

  private var service: SourceKind? {
    let named = url.flatMap(SourceAdder.service)
    if let kind { return kind.row.isService ? kind : nil }
    return named
  }

  /// Refuses options that have no effect for the source that is added.
  private func refuseMeaningless() throws {
    if server != nil, service == nil {
      throw ValidationError("--server is for services; give the address itself, as the argument")
    }
    if server != nil, let service, let url, SourceAdder.service(named: url) != service {
      throw ValidationError("give the address of the service once: as the argument, or with --server")
    }
    if let service, user != nil, let reason = SourceAdder.reasonAgainstUser(of: service) {
      throw ValidationError("--user has no meaning for --kind \(service.rawValue): \(reason)")
    }
    guard kind == .command || kind == .schedule else { return }
    let given = [
      ("--user", user != nil), ("--token-command", tokenCommand != nil), ("--token-file", tokenFile != nil),
      ("--token-env", tokenEnv != nil), ("--ca-file", caFile != nil),
      ("--client-certificate", clientCertificate != nil), ("--client-key", clientKey != nil),
      ("--no-verify", noVerify),
    ]
    if let option = given.first(where: \.1)?.0 {
      throw ValidationError("\(option) has no meaning for --kind \(kind?.rawValue ?? "")")
    }
  }

  func run() async throws {
    let profile = try Composition.profile(files)
    let signals = EndingSignals(before: profile.environment.programs.killAll)
    defer { signals.cancel() }
    if let service { return try await add(service, to: profile) }
    var wish = SourceWish(address: url ?? "")
    if kind == .command { wish.command = program }
    wish.format = format
    wish.name = name
    wish.kind = kind
    wish.interval = interval
    wish.credential = credential
    wish.user = user
    wish.options = options
    wish.isUnchecked = force
    var added: SourceAdder.Addition?
    while added == nil {
      do {
        added = try await SourceAdder(profile).add(wish)
      } catch let refusal as SourceAdder.Refusal {
        // A hub was found there; only the token is missing or wrong.
        guard case .hub(_, _, isOfToken: true) = refusal, TerminalQuestion.canAsk else { throw refusal }
        Complaint.print(refusal.sentence)
        wish.credential = .command(["/bin/sh", "-c", try ask(ServiceQuestions.hubToken)])
      }
    }
    switch added {
    case .source(let source)?: try await begin(source, in: profile)
    case .feeds?: _ = try await profile.inBackground { try $0.reopened() }
    case nil: return
    }
    if let added { try Answer.print(added.sentence) }
  }

  /// Stores the response that was examined as the result of the first poll, so that nothing is requested twice.
  private func begin(_ added: SourceAdder.Added, in profile: Profile) async throws {
    let current = try await profile.inBackground { try $0.reopened() }
    guard let first = added.first, let source = current.sources.first(where: { $0.name == added.name })
    else { return }
    _ = try await current.arrival(trouble: Complaint.print) {
      try await $0.poll([source], .soft, first: [added.name: first])
    }
    // From here on, other processes may poll the source.
    withExtendedLifetime(added) {}
  }

  /// Returns the absolute path, since polls may run in another folder.
  private func whole(_ path: String?) -> String? {
    path.map { $0.hasPrefix("~") ? $0 : URL(fileURLWithPath: $0).standardizedFileURL.path }
  }

  private var options: SourceOptions {
    var options = SourceOptions()
    options.caFile = whole(caFile)
    options.clientCertificate = whole(clientCertificate)
    options.clientKey = whole(clientKey)
    if noVerify { options.verify = false }
    return options
  }

  private var credential: CredentialOrigin? {
    if let tokenCommand {
      .command(["/bin/sh", "-c", tokenCommand])
    } else if let tokenFile = whole(tokenFile) {
      .file(tokenFile)
    } else {
      tokenEnv.map { .environment($0) }
    }
  }

  // MARK: Services

  private func add(_ service: SourceKind, to profile: Profile) async throws {
    var wish = ServiceWish(kind: service)
    // With --kind, the argument is the service's URL.
    wish.address = server ?? url.flatMap { SourceAdder.service(named: $0) == nil ? $0 : nil }
    wish.name = name
    wish.user = user
    wish.interval = interval
    wish.credential = credential
    wish.options = options
    wish.isUnchecked = force
    let questions = ServiceQuestions.of(wish)
    for question in questions { wish.set(try ask(question), for: question.answer) }
    var added: SourceAdder.Added?
    while added == nil {
      do {
        added = try await SourceAdder(profile).add(wish)
      } catch let refusal as SourceAdder.Refusal {
        // Only the wrong answer is requested again.
        guard TerminalQuestion.canAsk, let question = questions.first(where: { $0.answer == refusal.answer })
        else {
          throw refusal
        }
        Complaint.print(refusal.sentence)
        wish.set(try ask(question), for: question.answer)
      }
    }
    guard let added else { return }
    try await begin(added, in: profile)
    try Answer.print(added.sentence)
  }

  /// Asks on the terminal; without one, returns the default answer.
  private func ask(_ question: ServiceQuestions.Question) throws -> String {
    guard TerminalQuestion.canAsk else {
      if let standard = question.standard { return standard }
      let option =
        switch question.answer {
        case .address: "--server"
        case .user: "--user"
        case .tokenCommand: "--token-command, --token-file or --token-env"
        }
      throw Complaint("\(url ?? kind?.rawValue ?? "") needs \(option)")
    }
    while true {
      let standard = question.standard.map { $0.isEmpty ? " (enter: none)" : " (enter: \($0))" } ?? ""
      ErrorOutput.write("\(question.text)\(standard)\n> ")
      guard let line = readLine() else { throw Complaint("nothing was added") }
      let answer = line.trimmingCharacters(in: .whitespaces)
      if !answer.isEmpty { return answer }
      if let standard = question.standard { return standard }
    }
  }
}

extension SourceKind: ExpressibleByArgument {}

extension CommandFormat: ExpressibleByArgument {}
