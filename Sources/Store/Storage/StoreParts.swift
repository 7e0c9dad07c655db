import GRDB

/// The methods of a store for one subject.
///
/// A part has no state: it is created on each access, and all parts use the same connections.
protocol StorePart: Sendable {
  var store: Store { get }
}

/// Shortcuts to the store for the methods of a part.
extension StorePart {
  var path: String? { store.path }
  var columns: Columns { store.columns }
  var arrivals: ArrivalJudges { store.arrivals }
  var searches: Searches { store.searches }

  func read<Value>(_ body: (Database) throws -> Value) throws(StoreFailure) -> Value {
    try store.read(body)
  }

  func write<Value>(
    _ durability: Store.Durability = .process, _ body: (Database) throws -> Value
  ) throws(StoreFailure) -> Value {
    try store.write(durability, body)
  }

  func maintain<Value>(
    _ durability: Store.Durability = .process, _ body: (Database) throws -> Value
  ) throws(StoreFailure) -> Value {
    try store.maintain(durability, body)
  }

  func searching(inSlices: Bool = false) -> Searching { store.searching(inSlices: inSlices) }
}

/// The parts, each in the folder of its subject.
extension Store {
  package var sources: StoreSources { StoreSources(store: self) }
  package var polls: StorePolls { StorePolls(store: self) }
  package var pushes: StorePushes { StorePushes(store: self) }
  package var messages: StoreMessages { StoreMessages(store: self) }
  package var lists: StoreLists { StoreLists(store: self) }
  package var savedLists: StoreSavedLists { StoreSavedLists(store: self) }
  package var search: StoreSearch { StoreSearch(store: self) }
  package var acts: StoreActs { StoreActs(store: self) }
  package var outgoing: StoreOutgoing { StoreOutgoing(store: self) }
  package var rules: StoreRules { StoreRules(store: self) }
  package var notices: StoreNotices { StoreNotices(store: self) }
  package var phone: StorePhone { StorePhone(store: self) }
  package var questions: StoreQuestions { StoreQuestions(store: self) }
  package var features: StoreFeatures { StoreFeatures(store: self) }
  package var banners: StoreBanners { StoreBanners(store: self) }
  package var documents: StoreDocuments { StoreDocuments(store: self) }
  package var preferences: StorePreferences { StorePreferences(store: self) }
  package var retention: StoreRetention { StoreRetention(store: self) }
  package var time: StoreTime { StoreTime(store: self) }
  package var backups: StoreBackups { StoreBackups(store: self) }
  package var sync: StoreSync { StoreSync(store: self) }
  package var check: StoreCheck { StoreCheck(store: self) }
}
