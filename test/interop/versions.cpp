// A QuickFIX C++ initiator with a session in each version of FIX. Each sends three orders, requests everything again, and counts what came.
//   versions <settings file> <sessions>
#include <quickfix/Application.h>
#include <quickfix/MessageStore.h>
#include <quickfix/Session.h>
#include <quickfix/SessionSettings.h>
#include <quickfix/SocketInitiator.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>
#include <mutex>
#include <string>
#include <thread>

struct Counts {
  int orders = 0, heartbeats = 0, rejects = 0, logouts = 0;
};

class Versions : public FIX::NullApplication {
 public:
  void onLogon(const FIX::SessionID& id) override {
    const bool isOld = id.getBeginString().getValue() < "FIX.4.2";
    for (int i = 1; i <= 3; i++) {
      FIX::Message order = of("D");
      order.setField(11, "order-" + std::to_string(i));
      for (auto& field : std::map<int, std::string>{{21, "1"}, {38, "100"}, {40, "1"}, {54, "1"}, {55, "EUR/USD"}})
        order.setField(field.first, field.second);
      if (!isOld) order.setField(60, "20260114-12:00:00");
      FIX::Session::sendToTarget(order, id);
    }
    FIX::Message resend = of("2");
    resend.setField(7, "1");
    resend.setField(16, isOld ? "999999" : "0");
    FIX::Session::sendToTarget(resend, id);
    FIX::Message test = of("1");
    test.setField(112, "done");
    FIX::Session::sendToTarget(test, id);
  }
  void onLogout(const FIX::SessionID& id) override { note(id, &Counts::logouts); }
  void toAdmin(FIX::Message& message, const FIX::SessionID& id) override {
    if (message.getHeader().getField(35) == "3") reject(message, id);
  }
  void fromAdmin(const FIX::Message& message, const FIX::SessionID& id)
      throw(FIX::FieldNotFound, FIX::IncorrectDataFormat, FIX::IncorrectTagValue, FIX::RejectLogon) override {
    const std::string type = message.getHeader().getField(35);
    if (type == "3") reject(message, id);
    if (type == "0" && message.isSetField(112) && message.getField(112) == "done") note(id, &Counts::heartbeats);
  }
  void fromApp(const FIX::Message& message, const FIX::SessionID& id)
      throw(FIX::FieldNotFound, FIX::IncorrectDataFormat, FIX::IncorrectTagValue, FIX::UnsupportedMessageType) override {
    if (message.getHeader().getField(35) == "D") note(id, &Counts::orders);
    else reject(message, id);
  }

  // Every session has its orders back, and the answer to what it sent last.
  bool isDone(size_t sessions) {
    std::lock_guard<std::mutex> lock(mutex_);
    size_t done = 0;
    for (auto& one : counts_) done += one.second.orders >= 3 && one.second.heartbeats >= 1;
    return done == sessions;
  }
  void print() {
    for (auto& one : counts_)
      std::cout << one.first << " orders=" << one.second.orders << " rejects=" << one.second.rejects << " logouts=" << one.second.logouts << "\n";
  }

 private:
  static FIX::Message of(const std::string& type) {
    FIX::Message message;
    message.getHeader().setField(35, type);
    return message;
  }
  void reject(const FIX::Message& message, const FIX::SessionID& id) {
    std::cout << "COMPLAINT " << message << "\n";
    note(id, &Counts::rejects);
  }
  void note(const FIX::SessionID& id, int Counts::*what) {
    std::lock_guard<std::mutex> lock(mutex_);
    counts_[id.getBeginString().getValue() + " " + id.getSenderCompID().getValue()].*what += 1;
  }
  std::mutex mutex_;
  std::map<std::string, Counts> counts_;
};

int main(int, char** arguments) {
  FIX::SessionSettings settings(arguments[1]);
  Versions versions;
  FIX::MemoryStoreFactory store;
  FIX::SocketInitiator initiator(versions, store, settings);
  initiator.start();
  for (int tenths = 0; tenths < 600 && !versions.isDone(std::atoi(arguments[2])); tenths++)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  initiator.stop();
  versions.print();
}
