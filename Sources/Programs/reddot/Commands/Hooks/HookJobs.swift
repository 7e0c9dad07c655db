import Basics
import Foundation
import Messages

/// The programs that hooks reported recently. They are stored so that the titles of two programs in one project differ
/// by a word.
///
/// The file is in the folder of the spool, and is written by the process that stores the records.
struct HookJobs: Hashable, Sendable, Codable {
  /// A session of a program that works on a project.
  struct Job: Hashable, Sendable, Codable {
    var project: String
    var session: String
    var pane: TerminalPane?
    /// The number of the session within its project, from 1.
    var number: Int
    /// The time of the last report, in milliseconds since 1970.
    var at: Int64
  }

  private(set) var jobs: [Job] = []

  /// Adds a job.
  ///
  /// - Returns: the word that distinguishes the job from the others of its project, or `nil` if there are no others.
  mutating func word(_ session: String, of project: String, in pane: TerminalPane?, at date: Int64) -> String?
  {
    jobs.removeAll { date - $0.at > Limits.hookJobMilliseconds }
    // A pane has only one job, which may have a new session now.
    let isKnown = { (job: Job) in
      job.session == session || job.project == project && pane != nil && job.pane?.key == pane?.key
    }
    let known = jobs.first(where: isKnown)
    jobs.removeAll(where: isKnown)
    let others = jobs.filter { $0.project == project }
    let isFree = { (number: Int) in !others.contains { $0.number == number } }
    let number =
      known.flatMap { $0.project == project && isFree($0.number) ? $0.number : nil }
      ?? (1...others.count + 1).first(where: isFree) ?? 1
    jobs.append(Job(project: project, session: session, pane: pane ?? known?.pane, number: number, at: date))
    if jobs.count > Limits.hookJobs { jobs.removeFirst(jobs.count - Limits.hookJobs) }
    if others.isEmpty { return nil }
    guard let name = (pane ?? known?.pane)?.name else { return "job \(number)" }
    let (place, window) = Self.parts(name)
    let isTaken = others.contains { $0.pane?.name.map(Self.parts)?.window == window }
    return window.isEmpty || isTaken ? place : window
  }

  mutating func remove(_ session: String) { jobs.removeAll { $0.session == session } }

  /// Splits the name of a pane, for example `main:1.0 build` into `main:1.0` and `build`.
  private static func parts(_ name: String) -> (place: String, window: String) {
    let words = name.split(onBytes: " ", maxSplits: 1)
    return (words.first.map(String.init) ?? name, words.count > 1 ? String(words[1]) : "")
  }
}
