import Foundation
import Limits
import NIOCore
import NIOPosix
import NIOSSL

/// Connects once more to a server after a failed request, without sending a request, to find out
/// what the client's error does not tell: whether the port is open, and what is wrong with the certificate.
struct ConnectionDiagnosis: Sendable {
  enum Finding: Sendable {
    case noConnection
    /// Connected, but the handshake did not complete.
    case connected
    case certificates([NIOSSLCertificate])
  }

  var loop: any EventLoop
  var host: String
  var port: Int

  func run(withHandshake: Bool) async -> Finding {
    let finding = loop.makePromise(of: Finding.self)
    // The first result counts; promises ignore later ones.
    let bootstrap = ClientBootstrap(group: loop).connectTimeout(TimeAmount(Limits.diagnosisTime))
      .channelInitializer { channel in
        guard withHandshake else { return channel.eventLoop.makeSucceededVoidFuture() }
        return channel.eventLoop.makeCompletedFuture {
          var configuration = TLSConfiguration.makeClientConfiguration()
          configuration.trustRoots = .certificates([])
          let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
          let handler = try NIOSSLClientHandler(
            context: try NIOSSLContext(configuration: configuration), serverHostname: isAddress ? nil : host,
            customVerificationCallback: { chain, verdict in
              finding.succeed(.certificates(chain))
              verdict.succeed(.failed)
            })
          try channel.pipeline.syncOperations.addHandler(handler)
        }
      }
    let connection = bootstrap.connect(host: host, port: port)
    connection.whenSuccess { channel in
      if withHandshake {
        channel.closeFuture.whenComplete { _ in finding.succeed(.connected) }
      } else {
        finding.succeed(.connected)
      }
    }
    connection.whenFailure { _ in finding.succeed(.noConnection) }
    // The connect timeout does not include name resolution.
    let timer = loop.scheduleTask(in: TimeAmount(Limits.diagnosisTime)) { finding.succeed(.noConnection) }
    defer {
      timer.cancel()
      connection.whenSuccess { $0.close(promise: nil) }
    }
    return await withTaskCancellationHandler {
      do { return try await finding.futureResult.get() } catch { return .noConnection }
    } onCancel: {
      finding.succeed(.noConnection)
    }
  }
}
