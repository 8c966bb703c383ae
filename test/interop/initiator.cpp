// An unmodified QuickFIX C++ desk with its stock FIX44.xml: logs on, lists the securities, asks for the market's state, streams,
// renews its token, ends its streams and logs out. Prints one line per step and a summary; a step that does not come ends it.
//   initiator <settings file> <client key> <client secret> <pair> [<pair> ...]
#include <quickfix/Application.h>
#include <quickfix/FileStore.h>
#include <quickfix/Log.h>
#include <quickfix/Message.h>
#include <quickfix/Session.h>
#include <quickfix/SessionSettings.h>
#include <quickfix/SocketInitiator.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <iostream>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace {

const int AUTH_TOKEN = 20001, ERROR_CODE = 20011;
const int STEP_SECONDS = 15;

std::string field(const FIX::FieldMap& message, int tag) {
  return message.isSetField(tag) ? message.getField(tag) : std::string();
}

class Desk : public FIX::NullApplication {
 public:
  Desk(std::string key, std::string secret) : key_(key), secret_(secret) {}

  void onLogon(const FIX::SessionID& id) override {
    note([&] { session_ = id; loggedOn_ = true; });
  }
  void onLogout(const FIX::SessionID&) override {
    note([&] { if (loggedOn_) loggedOut_ = true; });
  }
  void toAdmin(FIX::Message& message, const FIX::SessionID&) override {
    const std::string type = message.getHeader().getField(FIX::FIELD::MsgType);
    if (type == "A") {
      message.setField(FIX::FIELD::Username, key_);
      message.setField(FIX::FIELD::Password, secret_);
    }
    note([&] { sent_[type]++; if (type == "3") complain("we rejected", message); });
  }
  void toApp(FIX::Message& message, const FIX::SessionID&) throw(FIX::DoNotSend) override {
    const std::string type = message.getHeader().getField(FIX::FIELD::MsgType);
    note([&] { sent_[type]++; if (type == "j") complain("we rejected", message); });
  }
  void fromAdmin(const FIX::Message& message, const FIX::SessionID&)
      throw(FIX::FieldNotFound, FIX::IncorrectDataFormat, FIX::IncorrectTagValue, FIX::RejectLogon) override {
    const std::string type = message.getHeader().getField(FIX::FIELD::MsgType);
    note([&] {
      received_[type]++;
      if (type == "A") token = field(message, AUTH_TOKEN);
      if (type == "3") complain("they rejected", message);
    });
  }
  void fromApp(const FIX::Message& message, const FIX::SessionID&)
      throw(FIX::FieldNotFound, FIX::IncorrectDataFormat, FIX::IncorrectTagValue, FIX::UnsupportedMessageType) override {
    const std::string type = message.getHeader().getField(FIX::FIELD::MsgType);
    note([&] {
      received_[type]++;
      if (type == "BF") token = field(message, AUTH_TOKEN);
      if (type == "y") securities = std::stoi("0" + field(message, FIX::FIELD::NoRelatedSym));
      if (type == "h") marketStatus = field(message, FIX::FIELD::TradSesStatus);
      if (type == "W") {
        prices[field(message, FIX::FIELD::MDReqID) + " " + field(message, FIX::FIELD::Symbol)]++;
        // Both sides of the group must be readable by the stock dictionary.
        for (int side = 1; side <= 2; side++) {
          FIX::Group entry(FIX::FIELD::NoMDEntries, FIX::FIELD::MDEntryType);
          message.getGroup(side, entry);
          if (field(entry, FIX::FIELD::MDEntryPx).empty()) complain("W without price", message);
        }
      }
      if (type == "j" || type == "Y") complain("refused", message);
    });
  }

  bool wait(const char* step, std::function<bool()> reached) {
    std::unique_lock<std::mutex> lock(mutex_);
    const bool ok = changed_.wait_for(lock, std::chrono::seconds(STEP_SECONDS), reached);
    std::cout << (ok ? "ok " : "MISSING ") << step << std::endl;
    return ok;
  }
  void send(const char* type, std::function<void(FIX::Message&)> fill) {
    FIX::Message message;
    message.getHeader().setField(FIX::FIELD::MsgType, type);
    fill(message);
    FIX::Session::sendToTarget(message, session_);
  }
  int received(const char* type) { return received_[type]; }
  bool loggedOn() const { return loggedOn_; }
  bool loggedOut() const { return loggedOut_; }
  int complaints() {
    std::lock_guard<std::mutex> lock(mutex_);
    return complaints_;
  }
  int pricesOf(const std::string& id, const std::string& pair) {
    std::lock_guard<std::mutex> lock(mutex_);
    return prices[id + " " + pair];
  }
  std::string summary() {
    std::lock_guard<std::mutex> lock(mutex_);
    std::string text = "summary complaints=" + std::to_string(complaints_);
    for (auto& type : received_) text += " in:" + type.first + "=" + std::to_string(type.second);
    for (auto& type : sent_) text += " out:" + type.first + "=" + std::to_string(type.second);
    return text;
  }

  std::string token, marketStatus;
  int securities = 0;
  std::map<std::string, int> prices;

 private:
  template <typename Change> void note(Change change) {
    std::lock_guard<std::mutex> lock(mutex_);
    change();
    changed_.notify_all();
  }
  void complain(const char* what, const FIX::Message& message) {
    complaints_++;
    // Never the message itself: it may hold the token.
    std::cout << "COMPLAINT " << what << " " << field(message, FIX::FIELD::RefMsgType) << " tag " << field(message, FIX::FIELD::RefTagID)
              << " " << field(message, ERROR_CODE) << " " << field(message, FIX::FIELD::Text) << std::endl;
  }

  const std::string key_, secret_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, int> received_, sent_;
  FIX::SessionID session_;
  bool loggedOn_ = false, loggedOut_ = false;
  int complaints_ = 0;
};

void marketDataRequest(FIX::Message& message, const char* subscription, const std::string& id, const std::vector<std::string>& pairs,
                       const std::string& token) {
  message.setField(FIX::FIELD::MDReqID, id);
  message.setField(FIX::FIELD::SubscriptionRequestType, subscription);
  message.setField(FIX::FIELD::MarketDepth, "1");
  message.setField(FIX::FIELD::MDUpdateType, "0");
  for (const char* side : {"0", "1"}) {
    FIX::Group entry(FIX::FIELD::NoMDEntryTypes, FIX::FIELD::MDEntryType);
    entry.setField(FIX::FIELD::MDEntryType, side);
    message.addGroup(entry);
  }
  for (auto& pair : pairs) {
    FIX::Group symbol(FIX::FIELD::NoRelatedSym, FIX::FIELD::Symbol);
    symbol.setField(FIX::FIELD::Symbol, pair);
    message.addGroup(symbol);
  }
  message.setField(AUTH_TOKEN, token);
}

// Each pair has had `count` prices under `id`; called with the lock of `wait`.
bool streamed(Desk& desk, const std::string& id, const std::vector<std::string>& pairs, int count) {
  for (auto& pair : pairs)
    if (desk.prices[id + " " + pair] < count) return false;
  return true;
}

bool converse(Desk& desk, const std::string& key, const std::string& secret, const std::vector<std::string>& pairs) {
  if (!desk.wait("logon with a token", [&] { return desk.loggedOn() && !desk.token.empty(); })) return false;
  desk.send("x", [](FIX::Message& m) { m.setField(FIX::FIELD::SecurityReqID, "S1"); m.setField(FIX::FIELD::SecurityListRequestType, "4"); });
  if (!desk.wait("security list", [&] { return desk.securities > 0; })) return false;
  desk.send("g", [](FIX::Message& m) { m.setField(FIX::FIELD::TradSesReqID, "G1"); m.setField(FIX::FIELD::SubscriptionRequestType, "0"); });
  if (!desk.wait("market status", [&] { return !desk.marketStatus.empty(); })) return false;

  const std::string first = desk.token;
  desk.send("V", [&](FIX::Message& m) { marketDataRequest(m, "1", "M1", pairs, first); });
  if (!desk.wait("snapshots", [&] { return streamed(desk, "M1", pairs, 1); })) return false;
  if (!desk.wait("stream", [&] { return streamed(desk, "M1", {pairs[0]}, 3); })) return false;

  desk.send("BE", [&](FIX::Message& m) {
    m.setField(FIX::FIELD::UserRequestID, "U1");
    m.setField(FIX::FIELD::UserRequestType, "1");
    m.setField(FIX::FIELD::Username, key);
    m.setField(FIX::FIELD::Password, secret);
  });
  if (!desk.wait("token renewed", [&] { return desk.received("BF") > 0 && !desk.token.empty() && desk.token != first; })) return false;
  desk.send("V", [&](FIX::Message& m) { marketDataRequest(m, "1", "M2", {pairs[0]}, desk.token); });
  if (!desk.wait("stream on the new token", [&] { return streamed(desk, "M2", {pairs[0]}, 2); })) return false;

  desk.send("V", [&](FIX::Message& m) { marketDataRequest(m, "2", "M2", {pairs[0]}, desk.token); });
  const int before = desk.pricesOf("M1", pairs[0]);
  return desk.wait("the other stream goes on", [&] { return desk.prices["M1 " + pairs[0]] > before; });
}

}  // namespace

int main(int count, char** values) {
  if (count < 5) {
    std::cerr << "usage: initiator <settings file> <client key> <client secret> <pair> ..." << std::endl;
    return 2;
  }
  const std::string key = values[2], secret = values[3];
  const std::vector<std::string> pairs(values + 4, values + count);
  try {
    FIX::SessionSettings settings(values[1]);
    Desk desk(key, secret);
    FIX::FileStoreFactory store(settings);
    FIX::SocketInitiator initiator(desk, store, settings);
    initiator.start();
    bool done = converse(desk, key, secret, pairs);
    initiator.stop();
    done = desk.wait("logout", [&] { return desk.loggedOut(); }) && done;
    std::cout << desk.summary() << std::endl;
    return done && desk.complaints() == 0 ? 0 : 1;
  } catch (std::exception& fault) {
    std::cerr << "QuickFIX: " << fault.what() << std::endl;
    return 2;
  }
}
