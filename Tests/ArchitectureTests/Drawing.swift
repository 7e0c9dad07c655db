/// The first code block of the architecture page: names, with an arrow from each to the names that it may import.
///
/// `a ─► b ─► c, d` are arrows from a to b, and from b to c and to d. A line that begins with `├` or `└` belongs to the
/// name above that character. Text in parentheses is a remark.
struct Drawing {
  struct Unreadable: Error {
    var line: String
  }

  private(set) var arrows: [String: Set<String>] = [:]

  var names: Set<String> { arrows.values.reduce(into: Set(arrows.keys)) { $0.formUnion($1) } }

  init(_ page: String) throws {
    let blocks = page.split(separator: "```", omittingEmptySubsequences: false)
    guard blocks.count >= 3 else { throw Unreadable(line: "no drawing") }
    // The columns of the names in the lines above, the latest last.
    var above: [(columns: Range<Int>, name: String)] = []
    for line in blocks[1].split(separator: "\n") {
      var steps = try Self.steps(String(line))
      var parents: [String] = []
      if let sign = line.firstIndex(where: { $0 == "├" || $0 == "└" }) {
        let column = line.distance(from: line.startIndex, to: sign)
        guard let parent = above.last(where: { $0.columns.contains(column) }) else {
          throw Unreadable(line: String(line))
        }
        parents = [parent.name]
      } else if steps.count < 2 {
        throw Unreadable(line: String(line))
      } else {
        let first = steps.removeFirst()
        above.append((first[0].columns, first[0].name))
        parents = [first[0].name]
        guard first.count == 1 else { throw Unreadable(line: String(line)) }
      }
      for (index, step) in steps.enumerated() {
        // Only the last step of a line is a list.
        guard index == steps.count - 1 || step.count == 1 else { throw Unreadable(line: String(line)) }
        for parent in parents { arrows[parent, default: []].formUnion(step.map(\.name)) }
        parents = step.map(\.name)
        above += step.map { ($0.columns, $0.name) }
      }
    }
  }

  private typealias Name = (columns: Range<Int>, name: String)

  /// The names of a line, arrow by arrow, with their columns.
  private static func steps(_ line: String) throws -> [[Name]] {
    var steps: [[Name]] = [[]]
    var name = ""
    func end(at column: Int) {
      if !name.isEmpty { steps[steps.count - 1].append((column - name.count..<column, name)) }
      name = ""
    }
    var last = 0
    for (column, character) in line.enumerated() {
      last = column + 1
      if character == "(" {
        end(at: column)
        last = column
        break
      }
      if character.isLetter || character.isNumber {
        name.append(character)
        continue
      }
      end(at: column)
      guard " ,─►│├└".contains(character) else { throw Unreadable(line: line) }
      if character == "►" { steps.append([]) }
    }
    end(at: last)
    if steps[0].isEmpty { steps.removeFirst() }
    guard !steps.isEmpty, steps.allSatisfy({ !$0.isEmpty }) else { throw Unreadable(line: line) }
    return steps
  }
}
