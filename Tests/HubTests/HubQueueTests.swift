import Foundation
import Hub
import TestBasics
import Testing

@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct HubQueueTests {
  /// Takes the next batch, as the writing thread does.
  private func nextBatch(_ queue: HubQueue) async -> [HubQueue.Waiting] {
    await withCheckedContinuation { answer in
      Thread { answer.resume(returning: queue.nextBatch()) }.start()
    }
  }

  private func answer(_ batch: [HubQueue.Waiting]) {
    for waiting in batch { waiting.resume(.failure(.busy)) }
  }

  private func publish(_ queue: HubQueue) async { _ = try? await queue.perform(.due, now: Date()) {} }

  /// If it began immediately, the second batch would have one of them, and the other one would wait for its end.
  @Test func thoseWhoWereAnsweredTogetherShareTheNextBatchToo() async {
    let queue = HubQueue(gathering: HangLimit.duration)
    let publishers = (0..<2).map { _ in
      Task {
        await publish(queue)
        await publish(queue)
      }
    }
    while queue.load.queueItems < 2 { await Task.yield() }
    let first = await nextBatch(queue)
    #expect(first.count == 2)
    queue.didWrite(first, in: HangLimit.duration * 4)
    answer(first)
    let second = await nextBatch(queue)
    #expect(second.count == 2)
    answer(second)
    for publisher in publishers { await publisher.value }
  }

  @Test func whoDoesNotComeAgainIsWaitedForOnlyAMoment() async {
    let queue = HubQueue()
    let publishers = (0..<3).map { number in
      Task { for _ in 0...number / 2 { await publish(queue) } }
    }
    while queue.load.queueItems < 3 { await Task.yield() }
    var (count, sizes): (Int, [Int]) = (0, [])
    while count < 4 {
      let batch = await nextBatch(queue)
      queue.didWrite(batch, in: .seconds(1))
      sizes.append(batch.count)
      count += batch.count
      answer(batch)
    }
    #expect(sizes.first == 3)
    for publisher in publishers { await publisher.value }
  }
}
