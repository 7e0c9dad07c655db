import Foundation
import Messages
import Screen
import Testing
import Words

@testable import Interface

/// The offers of this machine, shown once while nothing is followed.
struct OffersTests {
  private static let offers: [Offer] = [
    .newsboat(folder: "/home/ada/.newsboat", feeds: 42), .github, .shell("bash"),
  ]

  private func stage(columns: Int = 80, rows: Int = 24) -> Stage {
    var stage = Stage(ModelStore(), columns: columns, rows: rows)
    stage.send(.offers(.found(Self.offers)))
    stage.send(.timeChanged(ModelStore.start + 1))
    return stage
  }

  @Test func anEmptyInboxLooksOnce() {
    var state = AppState(
      options: InterfaceOptions(zone: Stage.utc), size: Size(columns: 80, rows: 24),
      now: ModelStore.start)
    let snapshot = ModelStore().snapshot(InboxQuery(), InboxWindow())
    #expect(update(&state, .inboxChanged(snapshot)).contains(.offers(.find)))
    #expect(!update(&state, .inboxChanged(snapshot)).contains(.offers(.find)))
    // Offers are not searched if there are sources, and not at the next start.
    for (store, preferences) in [
      (ModelStore.sample, Preferences()), (ModelStore(), Preferences(["offers": "true"])),
    ] {
      var other = AppState(
        options: InterfaceOptions(zone: Stage.utc), size: Size(columns: 80, rows: 24),
        now: ModelStore.start,
        preferences: preferences)
      let snapshot = store.snapshot(InboxQuery(), InboxWindow())
      #expect(!update(&other, .inboxChanged(snapshot)).contains(.offers(.find)))
    }
  }

  @Test func whatWasFoundIsOneListAndIsRemembered() {
    let stage = stage()
    #expect(stage.screen.contains("Found on this machine."))
    let lines = [
      "42 feeds of newsboat, with what you have read", "GitHub, with the login of gh",
      "Commands in bash that take long", "Something else: type its address",
    ]
    for line in lines { #expect(stage.screen.contains(line)) }
    #expect(stage.effects.contains(.remember("offers", "true")))
    #expect(stage.bottom.contains("enter open"))
  }

  @Test func enterAddsTheSelectedLineAndTheOthersStay() throws {
    var stage = stage()
    try stage.press("j", "enter")
    #expect(stage.effects.contains(.offers(.take(.github))))
    stage.effects = []
    // Once.
    try stage.press("enter")
    #expect(stage.effects.isEmpty)
    stage.send(.offers(.taken(.github, refusal: nil)))
    #expect(stage.screen.contains("GitHub, with the login of gh  added"))
    #expect(stage.bottom.contains("Added GitHub, with the login of gh."))
    try stage.press("j", "enter")
    #expect(stage.effects == [.offers(.take(.shell("bash")))])
    stage.send(.offers(.taken(.shell("bash"), refusal: ".bashrc cannot be written")))
    #expect(stage.lastLines.contains(".bashrc cannot be written"))
    #expect(!stage.screen.contains("Commands in bash that take long  added"))
    // Again, since it failed.
    stage.effects = []
    try stage.press("enter")
    #expect(stage.effects == [.offers(.take(.shell("bash")))])
  }

  @Test func theLastLineAsksForAnAddress() throws {
    var stage = stage()
    try stage.press("G", "enter")
    #expect(stage.state.dialog.overlay == nil)
    #expect(stage.state.dialog.prompt?.subject == .add)
  }

  /// No key opened the page, so a key that was pressed for the welcome takes nothing.
  @Test func aKeyForTheScreenBeforeTakesNothing() throws {
    var stage = Stage(ModelStore(), columns: 80, rows: 24)
    stage.send(.offers(.found(Self.offers)))
    stage.send(.timeChanged(ModelStore.start + 0.2))
    try stage.press("j", "enter")
    #expect(
      stage.screen.contains("Found on this machine.") && !stage.effects.contains(.offers(.take(.github))))
    stage.send(.timeChanged(ModelStore.start + 0.4))
    try stage.press("enter")
    #expect(stage.effects.contains(.offers(.take(.github))))
  }

  @Test func escapeLeavesTheWelcome() throws {
    var stage = stage()
    try stage.press("esc")
    #expect(stage.screen.contains("Welcome to reddot"))
  }

  @Test func nothingIsShownOverWhatTheUserDoesMeanwhile() throws {
    var stage = Stage(ModelStore(), columns: 80, rows: 24)
    try stage.press("a")
    stage.send(.offers(.found(Self.offers)))
    #expect(stage.state.dialog.overlay == nil)
    #expect(stage.state.dialog.prompt?.subject == .add)
    var none = Stage(ModelStore(), columns: 80, rows: 24)
    none.send(.offers(.found([])))
    #expect(none.state.dialog.overlay == nil)
    #expect(!none.effects.contains(.remember("offers", "true")))
    var other = Stage(columns: 80, rows: 24)
    other.send(.offers(.found(Self.offers)))
    #expect(other.state.dialog.overlay == nil)
  }

  @Test func aSmallScreenShowsTheSelectedLine() throws {
    var stage = stage(columns: 40, rows: 6)
    try stage.press("G")
    #expect(stage.screen.contains("Something else: type its address"))
    try stage.press("g", "g")
    #expect(stage.screen.contains("42 feeds of newsboat"))
  }
}
