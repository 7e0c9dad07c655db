import Messages
import Platform
import Settings
import Storage
import Workspace

/// Follows here what other machines follow, by `sources.toml`; the settings that a person writes stay as they are.
struct SourceFollowing {
  private let workspace: Workspace

  init(_ workspace: Workspace) { self.workspace = workspace }

  private struct Plan {
    var changes = SettingsFile.FollowedChanges()
    var renamed: [(from: String, to: String)] = []

    var isEmpty: Bool { changes.isEmpty && renamed.isEmpty }
  }

  /// - Returns: the names of the sources that are new here.
  /// - Throws: `SyncFailure.sources` where a file can't be read or written; it is then as it was.
  func follow() throws -> [String] {
    do {
      // The inbox may run for weeks.
      let settings = try workspace.settingsFile.load()
      guard settings.sync.followsSources, try !plan(for: settings).isEmpty else { return [] }
      // What a person has written meanwhile is sent before it is compared.
      var fresh = try workspace.reopened()
      var plan = Plan()
      try fresh.settingsFile.changeFollowed { settings in
        plan = settings.sync.followsSources ? try self.plan(for: settings) : Plan()
        return plan.changes
      }
      if !plan.changes.isEmpty { fresh = try fresh.reopened() }
      for (name, wish) in plan.renamed {
        guard let source = fresh.sources.first(where: { $0.name == name }) else { continue }
        do {
          try fresh.rename(source, to: wish)
        } catch StoreFailure.nameTaken {
          // Another source has got the name meanwhile: this one keeps its own.
          continue
        }
      }
      return plan.changes.added.map(\.name)
    } catch let failure as any UserFacingError
      where failure is SettingsMistakes || failure is SettingsFile.Failure
    {
      throw SyncFailure.sources(reason: failure.sentence)
    }
  }

  private func plan(for settings: Settings) throws(StoreFailure) -> Plan {
    let wire = try workspace.store.sync.sources()
    var plan = Plan()
    addMissing(wire, settings, to: &plan)
    let here = Dictionary(grouping: wire.filter { $0.source != nil }) { $0.nameHere ?? "" }
    var taken = Set(
      settings.sources.map(\.name) + plan.changes.added.map(\.name) + workspace.sources.map(\.name))
    for entry in settings.sources where entry.isFollowed {
      guard let rows = here[entry.name]?.sorted(by: { $0.row < $1.row }), let first = rows.first else {
        continue
      }
      if rows.allSatisfy(\.isRemoved) {
        plan.changes.removed.insert(entry.name)
        continue
      }
      let changes = Self.changes(from: entry, to: first)
      // A title that cannot be one here stays as it is.
      if !changes.isEmpty, isPossible(entry, as: first, settings) {
        plan.changes.changed.append((entry.name, changes))
      }
      let isFree = first.name.map { SourceName.isValid($0) && taken.insert($0).inserted } ?? false
      if isFree, let name = first.name {
        plan.renamed.append((entry.name, name))
      }
    }
    return plan
  }

  private func addMissing(_ wire: [WireSource], _ settings: Settings, to plan: inout Plan) {
    var known = Set(settings.sources.map(\.source.identity))
    var names = NewNames(besides: settings.sources.map(\.name) + workspace.sources.map(\.name))
    for source in wire where source.source == nil && source.isFollowedByItself && !source.isDeclined {
      // One that cannot be followed holds none of the others back; `reddot sync status` shows the reason.
      guard var added = Self.configured(source), problem(of: added, settings) == nil,
        known.insert(added.identity).inserted
      else { continue }
      added.name = names.next(source.name ?? source.title, address: added.address)
      plan.changes.added.append(added)
    }
  }

  /// The reason why a source of other machines cannot be followed here; `nil` if nothing is known against it.
  func problem(of source: WireSource) -> String? {
    Self.configured(source).flatMap { problem(of: $0, workspace.settings) }
  }

  private func problem(of source: ConfiguredSource, _ settings: Settings) -> String? {
    var named = source
    named.name = "feed"
    return workspace.settingsFile.problem(ofFollowed: named, settings)
  }

  private func isPossible(_ entry: SourceEntry, as source: WireSource, _ settings: Settings) -> Bool {
    var changed = ConfiguredSource(name: "", kind: entry.source.kind, address: entry.source.address)
    changed.title = source.title
    return problem(of: changed, settings) == nil
  }

  /// Still without a name.
  private static func configured(_ source: WireSource) -> ConfiguredSource? {
    guard let kind = source.kind.flatMap(SourceKind.init(rawValue:)), let address = source.address else {
      return nil
    }
    var configured = ConfiguredSource(name: "", kind: kind, address: address)
    configured.title = source.title
    configured.folder = source.folder.flatMap(Folder.init)
    return configured
  }

  private static func changes(from entry: SourceEntry, to source: WireSource) -> [SettingsFile.Change] {
    var changes: [SettingsFile.Change] = []
    if source.title != entry.source.title {
      changes.append(SettingsFile.Change("title", source.title.map(TOMLText.quoted)))
    }
    let folder = source.folder.flatMap(Folder.init)
    // One that can't be a folder here stays where it is.
    if folder != entry.source.folder, folder != nil || source.folder == nil {
      changes.append(SettingsFile.Change("folder", folder.map { TOMLText.quoted($0.path) }))
    }
    return changes
  }
}
