import Foundation
import Messages
import Screen
import TestBasics
import Testing

@testable import Interface
@testable import Words

/// Keys apply to the screen that the user saw: keys that are typed faster than responses arrive have the same effect as slow
/// ones.
@Suite struct TypeAheadTests {
  private static let sizes = [
    Size(columns: 40, rows: 10), Size(columns: 80, rows: 24), Size(columns: 150, rows: 40),
  ]

  /// More of them by hand: `REDDOT_SEEDS=20..<60`, `REDDOT_SEEDS=15`.
  static func seeds(_ usual: Range<Int>) -> Range<Int> {
    let bounds = (ProcessInfo.processInfo.environment["REDDOT_SEEDS"] ?? "").split(separator: "..<")
      .compactMap { Int($0) }
    guard let first = bounds.first, let last = bounds.last else { return usual }
    return first..<(bounds.count == 1 ? first + 1 : last)
  }

  @Test(arguments: sizes, Self.seeds(0..<12))
  func fastKeysDoWhatSlowOnesDo(size: Size, seed: Int) throws {
    var options = seed % 2 == 0 ? InterfaceOptions.typed : .typedInTwos
    options.layout.foldsRepeats = seed % 3 == 2
    var keys = try TypedKeys(size: size, options: options)
    #expect(keys.fast.state.shown.list.rows.contains { !$0.members.isEmpty })
    var typist = Typist(seed: seed &* 1000 &+ size.columns, size: size, keymap: options.keymap)
    var steps: [TypedStep] = []
    while keys.keyCount < 300 {
      let step = typist.next(keys.fast.state)
      steps.append(step)
      guard try keys.take(step).isEmpty else {
        return try report(steps, size, options)
      }
    }
    let texts = try keys.take(.rest) + keys.journalDifferences()
    #expect(texts == [])
    if !texts.isEmpty { try report(steps, size, options) }
  }

  /// New messages above the selection, while keys wait, do not change the effect on the earlier ones.
  @Test(arguments: sizes, 0..<2)
  func messagesThatComeBetweenKeysChangeNothingOfWhatTheyDo(size: Size, seed: Int) throws {
    var keys = try TypedKeys(size: size, options: .typedInTwos)
    var random = SeededRandom(seed: seed + 50)
    let newest = keys.slow.state.shown.list.newest
    var steps: [TypedStep] = []
    func take(_ step: TypedStep) throws -> Bool {
      steps.append(step)
      _ = try keys.take(step)
      guard case .rest = step else { return true }
      let texts = try keys.differences(through: newest)
      guard !texts.isEmpty else { return true }
      Issue.record("\(steps.map(\.description).joined(separator: " "))\n\(texts.joined(separator: "\n"))")
      return false
    }
    let names = ["j", "j", "j", "s", "u", "d", "v", "V", "A", "2", "enter", "h", "G", "space", "n", "g", "x"]
    // If the first row were selected, the selection would move on to new messages.
    for _ in 0..<3 { _ = try take(.input(.key(KeyPress("j")))) }
    for number in 0..<100 {
      var isSame = true
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<5:
        let press = names.randomElement(using: &random).flatMap(KeyPress.init(parsing:)) ?? KeyPress("j")
        isSame = try take(.input(.key(press)))
      case 5..<9:
        isSame = try take(.advance(StoreStage.Queue.allCases.randomElement(using: &random) ?? .read))
      case 9, 10: isSame = try take(.news(number: number))
      case _: isSame = try take(.rest)
      }
      guard isSame else { return }
    }
    #expect(try take(.rest))
  }

  private func report(_ steps: [TypedStep], _ size: Size, _ options: InterfaceOptions) throws {
    let (short, texts) = try TypedKeys.shortened(steps, size: size, options: options, seconds: 200)
    Issue.record(
      """
      \(size.columns)×\(size.rows), \(short.count) of \(steps.count) steps: \
      \(short.map(\.description).joined(separator: " "))
      \(texts.joined(separator: "\n"))
      """)
  }
}
