import Messages
import Platform
import Settings
import Storage

/// Follows the sources of other machines in `sources.toml`; the user's own settings file stays unchanged.
struct SourceFollowing {
  private let profile: Profile

  init(_ profile: Profile) { self.profile = profile }

  /// Follows the sources that other machines follow.
  ///
  /// - Returns: the names of the sources that are new here.
  /// - Throws: `SyncFailure.sources` if a file cannot be read or written; the file is unchanged then.
  func follow() throws -> [String] {
    do {
      // The settings may have changed, since the inbox can run for weeks.
      let settings = try profile.settingsFile.load()
      guard settings.sync.followsSources, try !plan(for: settings, profile).isEmpty else { return [] }
      // The user's latest edits are sent before the comparison.
      let fresh = try profile.reopened()
      var plan = SettingsFile.FollowedChanges()
      try fresh.settingsFile.changeFollowed { settings in
        plan = settings.sync.followsSources ? try self.plan(for: settings, fresh) : .init()
        return plan
      }
      if !plan.isEmpty { _ = try fresh.reopened() }
      return plan.added.map(\.name)
    } catch let failure as any UserFacingError
      where failure is SettingsMistakes || failure is SettingsFile.Failure
    {
      throw SyncFailure.sources(reason: failure.sentence)
    }
  }

  /// Announces to the other machines the sources that the user of this one keeps in config.toml.
  func announceWritten() throws(StoreFailure) {
    // A file that cannot be read gives no information about them; `follow` reports it.
    guard let settings = try? profile.settingsFile.load(), settings.hiddenText.isEmpty,
      !settings.hidesSources
    else { return }
    let sources = try profile.store.sources.registered().sources(of: settings.sources.map(\.source))
    let written = zip(settings.sources, sources).filter { entry, source in
      !entry.isFollowed && source.id != Source.unregistered
    }
    let ids = Set(written.map { $1.id })
    try profile.store.sync.announce(written: ids, at: profile.environment.now())
  }

  /// Returns the changes of `sources.toml` after which this machine follows the same sources as the others.
  private func plan(
    for settings: Settings, _ profile: Profile
  ) throws(StoreFailure) -> SettingsFile.FollowedChanges {
    let wire = try profile.store.sync.sources()
    var plan = SettingsFile.FollowedChanges()
    let here = Dictionary(grouping: wire.filter { $0.source != nil }) { $0.nameHere ?? "" }
    var wishes: [(name: String, wish: String)] = []
    for entry in settings.sources where entry.isFollowed {
      guard let rows = here[entry.name]?.sorted(by: { $0.row < $1.row }), let first = rows.first else {
        continue
      }
      if rows.allSatisfy(\.isRemoved) {
        plan.removed.insert(entry.name)
        continue
      }
      if let name = first.uniqueName, name != entry.name, SourceName.isValid(name) {
        wishes.append((entry.name, name))
      }
      let changes = Self.changes(from: entry, to: first)
      // A title or a URL that is invalid here is not changed.
      if !changes.isEmpty, isPossible(entry, as: first, settings) {
        plan.changed.append((entry.name, changes))
      }
    }
    // Two sources may swap names.
    let leaving = Set(wishes.map(\.name)).union(plan.removed)
    var taken = Set(settings.sources.map(\.name) + profile.sources.map(\.name)).subtracting(leaving)
    for (name, wish) in wishes where taken.insert(wish).inserted { plan.renamed[name] = wish }
    let staying = Set(leaving).subtracting(plan.removed).filter { plan.renamed[$0] == nil }
    for name in staying where !taken.insert(name).inserted {
      // If another source is given this name, neither changes.
      for (other, wish) in plan.renamed where wish == name { plan.renamed[other] = nil }
    }
    add(missing: wire, settings, besides: taken.union(leaving), to: &plan)
    return plan
  }

  /// Adds the sources that only other machines follow to the plan, each with a unique name.
  private func add(
    missing wire: [WireSource], _ settings: Settings, besides names: Set<String>,
    to plan: inout SettingsFile.FollowedChanges
  ) {
    var known = Set(settings.sources.map(\.source.identity))
    var names = NewNames(besides: Array(names))
    for source in wire where source.source == nil && source.isFollowedByItself && !source.isDeclined {
      // A source that cannot be followed does not delay the others; `reddot sync status` shows the reason.
      guard var added = Self.configured(source), problem(of: added, settings) == nil,
        known.insert(added.identity).inserted
      else { continue }
      added.name = names.next(source.uniqueName ?? source.title, address: added.address)
      plan.added.append(added)
    }
  }

  /// Returns the reason why a source of other machines cannot be followed here, or `nil` if none is known.
  func problem(of source: WireSource) -> String? {
    Self.configured(source).flatMap { problem(of: $0, profile.settings) }
  }

  /// Returns the reason why `sources.toml` cannot contain a source, or `nil` if it can.
  private func problem(of source: ConfiguredSource, _ settings: Settings) -> String? {
    var named = source
    named.name = "feed"
    return profile.settingsFile.problem(ofFollowed: named, settings)
  }

  /// Whether an entry could have the URL, title and folder that the source has on other machines.
  private func isPossible(_ entry: SourceEntry, as source: WireSource, _ settings: Settings) -> Bool {
    var changed = Self.configured(source) ?? entry.source
    changed.title = source.title
    return problem(of: changed, settings) == nil
  }

  /// Returns the source in the form of the settings, still without a name.
  private static func configured(_ source: WireSource) -> ConfiguredSource? {
    guard let kind = source.kind.flatMap(SourceKind.init(rawValue:)), let address = source.address else {
      return nil
    }
    var configured = ConfiguredSource(name: "", kind: kind, address: address)
    configured.title = source.title
    configured.folder = source.folder.flatMap(Folder.init)
    return configured
  }

  /// Returns the changes that give an entry the URL, title and folder that the source has on other machines.
  private static func changes(from entry: SourceEntry, to source: WireSource) -> [SettingsFile.Change] {
    var changes: [SettingsFile.Change] = []
    // With `sync_as`, the URL may differ from machine to machine.
    if source.isFollowedByItself, entry.source.settings.options.syncAs == nil,
      !source.isSame(as: entry.source), let address = source.address,
      let kind = source.kind
    {
      changes.append(SettingsFile.Change("url", TOMLText.quoted(address)))
      changes.append(SettingsFile.Change("kind", kind == "feed" ? nil : TOMLText.quoted(kind)))
    }
    if source.title != entry.source.title {
      changes.append(SettingsFile.Change("title", source.title.map(TOMLText.quoted)))
    }
    let folder = source.folder.flatMap(Folder.init)
    // A source whose folder is invalid here stays in its folder.
    if folder != entry.source.folder, folder != nil || source.folder == nil {
      changes.append(SettingsFile.Change("folder", folder.map { TOMLText.quoted($0.path) }))
    }
    return changes
  }
}
