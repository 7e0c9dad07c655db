import Basics

/// Reads one entry of a schedule file, in any of three shapes:
///
/// 1. `{"id", "type", "data": {"start", "interval", "occurrence", "translations"}}`
/// 2. `{"time", "day" | "date", "repeat": days, "occurrence", "title", "msg"}`
/// 3. `{"time", "day" | "date" | neither, "repeat": word or "interval": days, "endRepeat", "title", "msg"}`
///
/// An error that affects the times rejects the entry; unknown keys are only recorded.
struct ScheduleEntryReader {
  private var problems: [FormatProblem] = []
  private var isRejected = false
  /// Whether the entry shows a message when it fires. Otherwise it enables or disables features, and its data
  /// has no fixed form.
  private var isDisplayed = true

  /// Reads an entry. If it is rejected, it has problems and no schedule.
  static func read(_ value: JSONValue, at path: String) -> ScheduleFileEntry {
    var reader = ScheduleEntryReader()
    var entry = ScheduleFileEntry(
      path: path, id: nil, identity: value.serialized(), texts: [], schedule: nil, problems: [])
    guard case .object(let object) = value else {
      entry.problems = [FormatProblem(at: path, message: "must be an object, not \(value.kindInWords)")]
      return entry
    }
    entry.isRecognizable = object["time"] != nil || object["data"]?.object?["start"] != nil
    entry.id = reader.id(object, at: path)
    if let id = entry.id { entry.identity = id.text }
    entry.switching = ScheduledSwitchReader.read(object)
    reader.isDisplayed = entry.switching == nil
    let schedule: WallSchedule?
    if object["data"] != nil {
      entry.isFromInstallation = true
      schedule = reader.translated(object, at: path, texts: &entry.texts)
    } else {
      schedule = reader.timed(object, at: path, texts: &entry.texts)
    }
    entry.schedule = reader.isRejected ? nil : schedule
    entry.problems = reader.problems
    return entry
  }

  private mutating func id(_ object: JSONObject, at path: String) -> NativeID? {
    guard let value = object["id"], !value.isNull else { return nil }
    if let id = NativeID(value) { return id }
    reject(JSONPath.key("id", under: path), "must be an integer or a string, not \(value.kindInWords)")
    return nil
  }

  // MARK: The first shape

  /// Reads the schedule and the text of an entry of shape 1, which has them in `data`.
  private mutating func translated(
    _ object: JSONObject, at path: String, texts: inout [LocalizedText]
  ) -> WallSchedule? {
    reportUnknown(object, ["id", "type", "data"], at: path)
    let dataPath = JSONPath.key("data", under: path)
    guard let data = object["data"]?.object else {
      let found = object["data"]?.kindInWords ?? "nothing"
      reject(dataPath, "must be an object with start, not \(found)")
      return nil
    }
    // In an entry that isn't displayed, other keys are features.
    if isDisplayed {
      reportUnknown(
        data, ["start", "interval", "occurrence", "occurance", "translations"], at: dataPath)
    }
    if let value = data["translations"] {
      TranslationsReader.read(
        value, at: JSONPath.key("translations", under: dataPath), into: &texts, problems: &problems)
    }
    let interval = interval(data, at: dataPath)
    let end = occurrence(data, at: dataPath).map(WallSchedule.End.count) ?? .never
    reportEnd(end, data, repeatedBy: ["interval"], at: dataPath)
    guard let start = text(data, "start", at: dataPath, WallText.start) else { return nil }
    if case .weekdays = start, let interval, interval != WallSchedule.Interval(.week) {
      reject(
        JSONPath.key("interval", under: dataPath),
        "must be week or weekday where start is a weekday, or be absent")
    }
    return WallSchedule(start: start, interval: interval, end: end)
  }

  /// Returns the `interval` in the `data` of an entry of shape 1, or `nil` if the entry fires once.
  private mutating func interval(_ data: JSONObject, at path: String) -> WallSchedule.Interval? {
    guard let value = data["interval"], !value.isNull else { return nil }
    if case .number = value { return days(data, "interval", at: path) }
    let word = value.text?.lowercased()
    if word == "weekday" { return WallSchedule.Interval(.week) }
    if let unit = word.flatMap(WallSchedule.Unit.init) { return WallSchedule.Interval(unit) }
    reject(
      JSONPath.key("interval", under: path),
      "must be second, minute, hour, day, week, weekday, month, quarter, year or a number of days")
    return nil
  }

  // MARK: The second and third shape

  /// Reads the schedule and the text of an entry of shape 2 or 3, which has a `time` and no `data`.
  private mutating func timed(
    _ object: JSONObject, at path: String, texts: inout [LocalizedText]
  ) -> WallSchedule? {
    reportUnknown(
      object,
      [
        "id", "type", "time", "day", "date", "repeat", "interval", "occurrence", "occurance", "endRepeat",
        "title",
        "msg",
      ], at: path)
    texts = ScheduleTexts.read(object, at: path, problems: &problems)
    let interval = repetition(object, at: path)
    let count = occurrence(object, at: path)
    let endRepeat = endRepeat(object, at: path)
    if count != nil, endRepeat != nil {
      reject(JSONPath.key("endRepeat", under: path), "cannot be used with occurrence: an entry has one end")
    }
    if let endRepeat {
      judge(endRepeat, object, at: JSONPath.key("endRepeat", under: path))
    } else {
      reportEnd(
        count.map(WallSchedule.End.count) ?? .never, object, repeatedBy: ["repeat", "interval"], at: path)
    }
    guard let time = text(object, "time", at: path, WallText.time) else { return nil }
    let start = start(object, time, at: path)
    if case .weekdays(let days, _) = start, days.count > 1, let interval, !interval.isWholeWeeks {
      reject(
        JSONPath.key(object["interval"].map { $0.isNull } == false ? "interval" : "repeat", under: path),
        "must be weekly or a number of whole weeks in days where day has several weekdays")
    }
    let end = endRepeat ?? count.map(WallSchedule.End.count) ?? .never
    return WallSchedule(start: start, interval: interval, end: end)
  }

  /// Returns the first firing, from `day` or `date` and a time of day.
  private mutating func start(
    _ object: JSONObject, _ time: WallSchedule.Time, at path: String
  ) -> WallSchedule.Start {
    let day = object["day"].flatMap { $0.isNull ? nil : $0 }
    let date = object["date"].flatMap { $0.isNull ? nil : $0 }
    if day != nil, date != nil {
      reject(JSONPath.key("date", under: path), "cannot be used with day: an entry has one of them")
    }
    if let day {
      let weekdays = (day.elements ?? [day]).map(Self.weekday)
      let known = Set(weekdays.compactMap { $0 })
      if !known.isEmpty, known.count == weekdays.count { return .weekdays(known, time) }
      reject(
        JSONPath.key("day", under: path),
        "must be a weekday from Monday to Sunday, written out in English, or an array of different ones")
    } else if date != nil, let date = integer(object, "date", at: path, 1...31, "a day of the month, 1 to 31")
    {
      return .dayOfMonth(date, time)
    }
    return .time(time)
  }

  /// Returns the number of a weekday, from 1 for Monday to 7 for Sunday.
  private static func weekday(_ value: JSONValue) -> Int? {
    let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    return value.text.flatMap { names.firstIndex(of: $0.lowercased()) }.map { $0 + 1 }
  }

  /// Returns the interval in `repeat` or `interval`, or `nil` if the entry fires once.
  private mutating func repetition(_ object: JSONObject, at path: String) -> WallSchedule.Interval? {
    let word = object["repeat"].flatMap { $0.isNull ? nil : $0 }
    let interval = object["interval"].flatMap { $0.isNull ? nil : $0 }
    if word != nil, interval != nil {
      reject(JSONPath.key("interval", under: path), "cannot be used with repeat: an entry has one of them")
    }
    if interval != nil { return days(object, "interval", at: path) }
    guard let word else { return nil }
    if case .number = word { return days(object, "repeat", at: path) }
    switch word.text?.lowercased() {
    case "daily": return WallSchedule.Interval(.day)
    case "weekly": return WallSchedule.Interval(.week)
    case "monthly": return WallSchedule.Interval(.month)
    case "yearly": return WallSchedule.Interval(.year)
    default:
      reject(
        JSONPath.key("repeat", under: path),
        "must be daily, weekly, monthly, yearly or a number of days from 1")
      return nil
    }
  }

  /// Returns the end of the repetition in `endRepeat`, or `nil` if it is absent or rejected.
  private mutating func endRepeat(_ object: JSONObject, at path: String) -> WallSchedule.End? {
    guard let value = object["endRepeat"], !value.isNull else { return nil }
    let path = JSONPath.key("endRepeat", under: path)
    let allowed = "must be an object with one of date, months, weeks, days and repeatCount"
    guard let end = value.object else {
      reject(path, "\(allowed), not \(value.kindInWords)")
      return nil
    }
    guard end.members.count == 1, let key = end.members.first?.key else {
      reject(path, end.members.isEmpty ? allowed : "\(allowed); it has \(end.members.count)")
      return nil
    }
    func counted(_ reader: inout Self) -> Int? {
      reader.integer(end, key, at: path, 1...Limits.scheduleCount, "an integer from 1")
    }
    switch key {
    case "date": return text(end, key, at: path, WallText.endDate).map(WallSchedule.End.through)
    case "months": return counted(&self).map { .before(.init($0, .month)) }
    case "weeks": return counted(&self).map { .before(.init($0, .week)) }
    case "days": return counted(&self).map { .before(.init($0, .day)) }
    case "repeatCount": return counted(&self).map { .count($0) }
    default:
      reject(JSONPath.key(key, under: path), "is unknown; endRepeat \(allowed)")
      return nil
    }
  }

  // MARK: Parts that contradict each other

  /// Reports `endRepeat` in an entry that does not repeat, since there is nothing to count or to end. Without `day` or
  /// `date` the entry is rejected.
  private mutating func judge(_ end: WallSchedule.End, _ object: JSONObject, at path: String) {
    guard !has(["repeat", "interval"], object), let key = object["endRepeat"]?.object?.members.first?.key
    else { return }
    let path = JSONPath.key(key, under: path)
    if has(["day", "date"], object) {
      report(path, "has no effect: without repeat or interval the entry fires once")
    } else {
      reject(path, "has no effect: the entry does not repeat, without day, date, repeat or interval")
    }
  }

  /// Reports a count of more than one if the entry does not repeat.
  private mutating func reportEnd(
    _ end: WallSchedule.End, _ object: JSONObject, repeatedBy keys: [String], at path: String
  ) {
    guard case .count(let count) = end, count > 1, !has(keys, object) else { return }
    let key = object["occurrence"].map { !$0.isNull } == true ? "occurrence" : "occurance"
    report(
      JSONPath.key(key, under: path),
      "has no effect: without \(keys.joined(separator: " or ")) the entry fires once")
  }

  /// Whether the object has one of the keys, with a value other than null.
  private func has(_ keys: [String], _ object: JSONObject) -> Bool {
    keys.contains { object[$0].map { !$0.isNull } ?? false }
  }

  // MARK: Single values

  /// Returns the number of firings in `occurrence`, or `nil` for absent, null and 0, which mean that the
  /// entry fires without end.
  private mutating func occurrence(_ object: JSONObject, at path: String) -> Int? {
    let spellings = ["occurrence", "occurance"].filter { object[$0] != nil && object[$0] != .null }
    guard let key = spellings.first else { return nil }
    if spellings.count == 2, object[key] != object[spellings[1]] {
      reject(JSONPath.key(spellings[1], under: path), "differs from occurrence, which means the same")
    }
    let count = integer(object, key, at: path, 0 ... .max, "a count from 0, 0 being without end")
    return count == 0 ? nil : count
  }

  /// Returns an interval that is a number of days.
  private mutating func days(_ object: JSONObject, _ key: String, at path: String) -> WallSchedule.Interval? {
    integer(object, key, at: path, 1...Limits.scheduleCount, "a number of days from 1").map {
      .init($0, .day)
    }
  }

  /// Returns the integer of a key. If it is missing or not in the range, rejects the entry and returns `nil`.
  private mutating func integer(
    _ object: JSONObject, _ key: String, at path: String, _ range: ClosedRange<Int>, _ expected: String
  ) -> Int? {
    let value = object[key] ?? .null
    if let integer = value.integer, range.contains(integer) { return integer }
    reject(JSONPath.key(key, under: path), "must be \(expected), not \(value.kindInWords)")
    return nil
  }

  /// Returns the value that `read` finds in a required string, or rejects the entry.
  private mutating func text<Value>(
    _ object: JSONObject, _ key: String, at path: String, _ read: (String) throws(WallText.Refusal) -> Value
  ) -> Value? {
    let path = JSONPath.key(key, under: path)
    guard let value = object[key], !value.isNull else {
      reject(path, "is missing")
      return nil
    }
    do throws(WallText.Refusal) {
      return try read(value.text ?? "")
    } catch {
      reject(path, value.text == nil ? "\(error.message), not \(value.kindInWords)" : error.message)
      return nil
    }
  }

  /// Adds a problem and rejects the entry.
  private mutating func reject(_ at: String, _ message: String) {
    isRejected = true
    problems.append(FormatProblem(at: at, message: message))
  }

  /// Adds a problem without rejecting the entry.
  private mutating func report(_ at: String, _ message: String) {
    problems.append(FormatProblem(at: at, message: message))
  }

  /// Reports keys that have no effect.
  private mutating func reportUnknown(_ object: JSONObject, _ known: Set<String>, at path: String) {
    for member in object.members where !known.contains(member.key) {
      if !isDisplayed, ScheduledSwitchReader.keys.contains(member.key) { continue }
      report(JSONPath.key(member.key, under: path), "is unknown here and has no effect")
    }
  }
}

extension WallSchedule.Interval {
  fileprivate var isWholeWeeks: Bool { unit == .week || unit == .day && count % 7 == 0 }
}
