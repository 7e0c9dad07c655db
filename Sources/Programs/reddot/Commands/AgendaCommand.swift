import ArgumentParser
import Basics
import Profile
import Subscriptions

/// `reddot agenda`
struct AgendaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "agenda",
    abstract: "Print what comes in the next days, by the calendars that are followed.",
    discussion: """
      Files are read anew; of an address it is what the last poll brought. What is done or cancelled is left out.

      EXAMPLES:
        reddot agenda
        reddot agenda 1                              today
        reddot agenda 30 --json | jq -r .title
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "How many days, from today on.") var days = 7
  @Flag(help: "Print one JSON object a line.") var json = false

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
      Complaint.print("no calendar is followed; reddot add FILE, FOLDER or webcal://… follows one")
    }
  }
}
