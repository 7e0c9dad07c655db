import Basics
import Foundation
import Platform
import Session
import TestBasics
import Testing

/// The folder of the demo.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct DemoProfileTests {
  private let environment = Environment(
    variables: [:], home: "/home/ada", version: "1", now: { .distantPast }, clock: { .gmt }, random: { 0 })

  @Test func theFolderIsDeletedWhileItIsWrittenTo() throws {
    for _ in 0..<20 {
      let demo = DemoFolder()
      try demo.make()
      let profile = try DemoProfile(in: demo, port: 1, strings: [:], environment: environment).open()
      defer { withExtendedLifetime(profile) {} }
      let folder = demo.path
      let first = DispatchSemaphore(value: 0)
      let ended = DispatchSemaphore(value: 0)
      let writer = Thread {
        var number = 0
        while true {
          let descriptor = open("\(folder)/\(number)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
          guard descriptor >= 0 else { break }
          close(descriptor)
          number += 1
          if number == 100 { first.signal() }
        }
        ended.signal()
      }
      writer.start()
      first.wait()
      #expect(demo.remove() == nil)
      ended.wait()
      let parent = (folder as NSString).deletingLastPathComponent
      let name = (folder as NSString).lastPathComponent
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: parent).filter { $0.hasPrefix(name) } == [])
      #expect(demo.remove() == nil)
    }
  }
}
