import Basics
import Foundation
import Messages
import Platform
import Screen
import Services
import Settings
package import Storage
package import Sync
import Words

/// Synchronises this machine as its settings say.
package struct Synchroniser: Sendable {
  package let profile: Profile

  package init(_ profile: Profile) { self.profile = profile }

  /// What other machines call this one.
  package var machine: String {
    profile.settings.sync.name ?? String(MachineName.short.prefix(SyncOptions.longestName))
  }

  /// A place as people write it: the home folder is `~`.
  package func name(_ place: PlaceAddress) -> String {
    let text = "\(place)"
    let home = profile.environment.home
    guard case .folder = place, text == home || text.hasPrefix(home + "/") else { return text }
    return "~" + text.dropFirst(home.count)
  }

  /// The place of the settings.
  ///
  /// - Throws: `SyncFailure.notBegun` where there is none.
  package func place() throws(SyncFailure) -> PlaceAddress {
    guard let place = profile.settings.sync.place else { throw .notBegun }
    return place
  }

  /// A place that a person gives; a folder from this one on.
  package func place(given text: String) throws -> PlaceAddress {
    do throws(PlaceAddress.Mistake) {
      let address = try PlaceAddress(Directories.expandingHome(text, home: profile.environment.home))
      guard case .folder(let path) = address, !path.hasPrefix("/") else { return address }
      return .folder(FileManager.default.currentDirectoryPath + "/" + path)
    } catch {
      // What was meant for a password may stand in it.
      let shown = error == .badPort ? "postgresql://…" : SafeOutput.line(text)
      throw GivenMistake(sentence: "\"\(shown)\" \(error)")
    }
  }

  func open(_ address: PlaceAddress) throws(SyncFailure) -> any Place {
    do throws(PlaceFailure) {
      let folder = profile.ownProgram.first.map(ReplacedFile.folder(of:))
      return try address.open(
        environment: profile.environment.variables, beside: folder, hub: hub(at:))
    } catch {
      throw .place(error, waiting: 0)
    }
  }

  private func hub(at address: String) throws(PlaceFailure) -> any Place {
    let (environment, command) = (profile.environment, profile.settings.sync.tokenCommand)
    let credentials = Credentials(environment: environment.variables, programs: environment.programs)
    return try HTTPPlace(address: address, environment.transportOptions(profile.settings)) {
      () async throws(HTTPPlace.NoToken) in
      guard !command.isEmpty else {
        throw HTTPPlace.NoToken(reason: "token_command under [sync] names no program that prints its token.")
      }
      do throws(Credentials.Failure) {
        return try await credentials.token(from: .command(command))
      } catch {
        throw HTTPPlace.NoToken(reason: "token_command under [sync]: \(error.reason)")
      }
    } words: { failure in
      profile.words.sentence(FetchFailure(failure)).text
    }
  }

  // MARK: - The key

  var keyFile: SyncKeyFile {
    SyncKeyFile(besideDatabase: profile.store.path ?? profile.environment.directories.databaseFile)
  }

  /// - Throws: `SyncFailure`.
  package func key() async throws(SyncFailure) -> SyncKey {
    let command = profile.settings.sync.keyCommand
    guard !command.isEmpty else {
      guard let key = try keyFile.read(for: place()) else {
        throw .noKey(path: keyFile.path, reason: "isn't there")
      }
      return key
    }
    let text: String
    do throws(Credentials.Failure) {
      let environment = profile.environment
      text = try await Credentials(environment: environment.variables, programs: environment.programs).key(
        from: command)
    } catch {
      throw .keyCommand(reason: error.reason)
    }
    if let key = SyncKey(fileText: text) { return key }
    do throws(SyncKey.ParseFailure) {
      return try SyncKey(text: text)
    } catch {
      throw .badKey(error)
    }
  }

  /// As people type it.
  package func keyText() async throws(SyncFailure) -> String { try await key().text }

  // MARK: - Synchronising

  /// Before a poll: nothing arrives unread that was read elsewhere. A failure is said once, when it begins.
  ///
  /// - Returns: sentences for people.
  package func runBeforePoll() async throws(StoreFailure) -> [String] {
    guard profile.settings.sync.place != nil else { return [] }
    let before = try profile.store.sync.progress()
    do {
      guard let outcome = try await run(within: Limits.secondsBeforePoll, waits: false) else { return [] }
      return [outcome.followedSentence].compactMap(\.self) + outcome.notes
    } catch let failure as SyncFailure {
      return before?.failure == nil ? [failure.sentence] : []
    } catch let failure as StoreFailure {
      throw failure
    } catch {
      throw .unexpected(path: profile.store.path ?? "", reason: "\(error)")
    }
  }

  /// After an act of a command: it is sent before the command ends where the place is a folder, else by the next poll or the
  /// inbox. What fails is in `status`, and the next synchronisation sends it.
  package func sendNow() async throws(StoreFailure) {
    guard profile.settings.sync.isFolder else { return }
    do {
      _ = try await locked(waits: false) {
        _ = try await synchronise(within: Limits.secondsAfterAct) { synchronisation in
          try synchronisation.send()
          return Synchronisation.Outcome()
        }
      }
    } catch is SyncFailure {
      return
    } catch let failure as StoreFailure {
      throw failure
    } catch {
      throw .unexpected(path: profile.store.path ?? "", reason: "\(error)")
    }
  }

  /// Synchronises once.
  ///
  /// - Parameters:
  ///   - seconds: how long it may take; nil: as long as the place makes progress.
  ///   - waits: for another process that is synchronising; else it is left to that.
  ///   - checksAll: all objects of this machine are compared by their bytes.
  /// - Returns: nil where another process does it.
  /// - Throws: `SyncFailure` or `StoreFailure`; the failure is stored for `status`.
  package func run(
    within seconds: Double? = nil, waits: Bool = true, checksAll: Bool = false
  ) async throws -> Synchronisation.Outcome? {
    try await locked(waits: waits) {
      try await synchronise(within: seconds) { try complete($0, checksAll: checksAll) }
    }
  }

  /// - Returns: `nil` if another process has the lock.
  private func locked<Value>(waits: Bool, _ body: () async throws -> Value) async throws -> Value? {
    let store = profile.store
    var lock = try store.tryLock(.sync)
    while lock == nil, waits, !Task.isCancelled {
      await store.waitUntilUnlocked(.sync)
      lock = try store.tryLock(.sync)
    }
    guard let lock else { return nil }
    defer { lock.release() }
    do {
      return try await body()
    } catch let failure as SyncFailure {
      if failure != .notBegun {
        try store.sync.recordFailure(failure.sentence, at: profile.environment.now())
      }
      throw failure
    }
  }

  private func synchronise(
    within seconds: Double?,
    _ work: @escaping @Sendable (Synchronisation) throws -> Synchronisation.Outcome
  ) async throws -> Synchronisation.Outcome {
    let address = try place()
    let place = try open(address)
    defer { place.close() }
    return try await run(at: place, called: name(address), try await key(), within: seconds, work)
  }

  func make(_ place: any Place, called name: String, _ key: SyncKey) -> Synchronisation {
    let environment = profile.environment
    return Synchronisation(
      profile.store, place, called: name, key, machine: machine, program: environment.version,
      now: environment.now)
  }

  /// On a thread of its own, since a place makes its caller wait.
  func run(
    at place: any Place, called name: String, _ key: SyncKey, within seconds: Double? = nil,
    _ work: @escaping @Sendable (Synchronisation) throws -> Synchronisation.Outcome
  ) async throws -> Synchronisation.Outcome {
    let environment = profile.environment
    let synchronisation = make(place, called: name, key)
    let deadline = seconds.map { seconds in
      Task {
        try await Task.sleep(for: .seconds(seconds), clock: environment.timer)
        place.close()
      }
    }
    defer { deadline?.cancel() }
    let result = await WorkThreads().run { Result { try work(synchronisation) } }
    if let seconds, case .failure(SyncFailure.place(.closed, _)) = result {
      throw SyncFailure.tookLong(place: name, seconds: Int(seconds))
    }
    return try result.get()
  }

  /// Sends and receives everything. Before that, the other machines get the sources that this machine's settings file names, and
  /// after it, this machine follows their sources.
  func complete(
    _ synchronisation: Synchronisation, checksAll: Bool = false
  ) throws -> Synchronisation.Outcome {
    let following = SourceFollowing(profile)
    try following.announceWritten()
    var outcome = try synchronisation.run(checksAll: checksAll)
    outcome.followed = try following.follow()
    return outcome
  }
}

extension Synchronisation.Outcome {
  /// "Now followed here: News."; nil: nothing is new.
  package var followedSentence: String? {
    followed.isEmpty
      ? nil : "Now followed here: \(followed.map { SafeOutput.line($0) }.joined(separator: ", "))."
  }

  /// "Sent 12 acts. Received 40 of laptop, 3 of server.", or the half that is so.
  package var sentence: String {
    var sentences: [String] = []
    if sent > 0 { sentences.append("Sent \(ActCount.words(sent)).") }
    if !received.isEmpty {
      let machines = received.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      sentences.append(
        "Received "
          + machines.map { "\(ActCount.digits($0.value)) of \(SafeOutput.line($0.key))" }.joined(
            separator: ", ")
          + ".")
    }
    return sentences.isEmpty ? "Nothing new." : sentences.joined(separator: " ")
  }
}

/// How many acts, for people.
package enum ActCount {
  /// With commas: 1,204.
  package static func digits(_ count: Int) -> String {
    let digits = Array(String(count))
    return digits.indices.map { index in
      (index > 0 && (digits.count - index) % 3 == 0 ? "," : "") + String(digits[index])
    }.joined()
  }

  package static func words(_ count: Int) -> String { count == 1 ? "1 act" : "\(digits(count)) acts" }
}
