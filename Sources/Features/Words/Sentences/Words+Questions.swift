package import Basics
package import Foundation
package import Messages
package import Screen

extension Words {
  /// Returns the way in which a question ended, for example `answered: yes, 12:41`, or `nil` while it waits.
  package func ending(of question: ProgramQuestion, now: Date, zone: ZoneClock) -> SafeText? {
    guard let ended = question.ended, let ending = question.ending else { return nil }
    let time = instant(ended, from: now, in: zone, seconds: false)
    switch ending {
    case .answered:
      let answer = SafeText(untrusted: question.answerText ?? "?")
      if let machine = question.machine {
        return self(.questionAnsweredOn, answer, SafeText(untrusted: machine), time)
      }
      return self(.questionAnswered, answer, time)
    case .timedOut: return self(.questionTimedOut, time)
    case .gone: return self(.questionGone, time)
    case .withdrawn: return self(.questionWithdrawn, time)
    }
  }
}
