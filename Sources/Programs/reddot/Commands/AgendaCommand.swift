import ArgumentParser
import Basics
import Profile
import Subscriptions

/// `reddot agenda`
struct AgendaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "agenda",
    abstract: "Print the next days of the calendars that you follow.",
    discussion: """
      Files are read again; for an address, the result of the last poll is used. Done and cancelled entries \
      are left out.

      EXAMPLES:
        reddot agenda
        reddot agenda 1                              today
        reddot agenda 30 --json | jq -r .title
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "The number of days, from today on.") var days = 7
  @Flag(help: "Print one JSON object per line.") var json = false

  func validate() throws {
    guard (1...Limits.agendaDays).contains(days) else {
      throw ValidationError("give 1 to \(Limits.agendaDays) days")
    }
  }

  func run() throws {
    let agenda = Agenda(try Composition.profileToRead(files), days: days)
    for line in json ? agenda.json : agenda.lines { try Answer.print(line) }
    for problem in agenda.problems { Complaint.print(problem) }
    if !agenda.hasCalendars {
      Complaint.print("no calendar is followed; run reddot add with a file, a folder or a webcal address")
    }
  }
}
