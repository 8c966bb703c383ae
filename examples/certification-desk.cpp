// A desk on an unmodified QuickFIX C++ that passes `ratewire certify` unattended (fix-config/certification.md). Each rule of the
// application begins with what it receives; steps 2 to 4 and the new connection of step 10 are QuickFIX's own work.
//   g++ -std=c++11 -Wno-deprecated examples/certification-desk.cpp -o certification-desk -lquickfix -lpthread
//   ./certification-desk <settings file> <client key> <client secret>
// The settings file is fix-config/quickfix-initiator.cfg with ResetOnLogon=N, HeartBtInt=5, ReconnectInterval=1 and an empty store.
#include <quickfix/Application.h>
#include <quickfix/FileLog.h>
#include <quickfix/FileStore.h>
#include <quickfix/Session.h>
#include <quickfix/SessionSettings.h>
#include <quickfix/SocketInitiator.h>
#include <quickfix/fix44/MarketDataRequest.h>
#include <quickfix/fix44/MarketDataSnapshotFullRefresh.h>
#include <quickfix/fix44/QuoteRequest.h>

#include <atomic>
#include <chrono>
#include <iostream>
#include <map>
#include <string>
#include <thread>

const int AUTH_TOKEN = 20001, ERROR_CODE = 20011;
const char* const PAIR = "EUR/USD";

typedef std::map<int, std::string> Fields;

static std::string get(const FIX::FieldMap& message, int tag) {
  return message.isSetField(tag) ? message.getField(tag) : std::string();
}

class Desk : public FIX::NullApplication {
 public:
  Desk(const std::string& key, const std::string& secret) : key_(key), secret_(secret) {}

  std::atomic<bool> isDone{false};

  void toAdmin(FIX::Message& message, const FIX::SessionID&) override {
    if (message.getHeader().getField(FIX::FIELD::MsgType) != "A") return;
    message.setField(FIX::FIELD::Username, key_);
    message.setField(FIX::FIELD::Password, secret_);
  }

  // AuthToken(20001) of the engine's Logon(A): every request needs it.
  void fromAdmin(const FIX::Message& message, const FIX::SessionID&)
      throw(FIX::FieldNotFound, FIX::IncorrectDataFormat, FIX::IncorrectTagValue, FIX::RejectLogon) override {
    if (message.getHeader().getField(FIX::FIELD::MsgType) == "A") token_ = get(message, AUTH_TOKEN);
  }

  // Step 5, and again in step 10: streams end with the connection.
  void onLogon(const FIX::SessionID& id) override {
    session_ = id;
    FIX44::MarketDataRequest request(FIX::MDReqID("M" + number()), FIX::SubscriptionRequestType('1'), FIX::MarketDepth(1));
    request.set(FIX::MDUpdateType(0));
    for (const char side : {'0', '1'}) {
      FIX44::MarketDataRequest::NoMDEntryTypes entry;
      entry.set(FIX::MDEntryType(side));
      request.addGroup(entry);
    }
    FIX44::MarketDataRequest::NoRelatedSym symbol;
    symbol.set(FIX::Symbol(PAIR));
    request.addGroup(symbol);
    send(request);
  }

  void fromApp(const FIX::Message& message, const FIX::SessionID&)
      throw(FIX::FieldNotFound, FIX::IncorrectDataFormat, FIX::IncorrectTagValue, FIX::UnsupportedMessageType) override {
    const std::string type = message.getHeader().getField(FIX::FIELD::MsgType);
    if (type == "W" && offer_ == 0) firstPrice(message);
    else if (type == "S" && get(message, FIX::FIELD::QuoteType) == "0") requestQuote("1");                                        // step 7
    else if (type == "S") order({{40, "D"}, {117, get(message, FIX::FIELD::QuoteID)}});                                           // step 8
    else if (type == "8") reported(message);
    else if (type == "BF" && get(message, ERROR_CODE) == "TOKEN_EXPIRING") renew();                                               // step 11
    else if (type == "BF" && message.isSetField(AUTH_TOKEN)) { token_ = get(message, AUTH_TOKEN); status(); }
    else if (type == "Y" || type == "AG" || type == "j") std::cerr << type << " " << get(message, FIX::FIELD::Text) << std::endl;
  }

 private:
  // Step 6.
  void firstPrice(const FIX::Message& message) {
    FIX44::MarketDataSnapshotFullRefresh::NoMDEntries entry;
    message.getGroup(2, entry);
    if (get(entry, FIX::FIELD::QuoteCondition) != "A") return;
    offer_ = std::stod(get(entry, FIX::FIELD::MDEntryPx));
    requestQuote("0");
  }

  void reported(const FIX::Message& message) {
    const std::string id = get(message, FIX::FIELD::ClOrdID), outcome = get(message, FIX::FIELD::ExecType);
    if (id == "O1" && outcome == "F") order({{40, "2"}, {44, std::to_string(offer_ / 2)}});                                       // step 9
    else if (id == "O2" && outcome == "8") order({{40, "1"}});                                                                    // step 10
    else if (id == "O3" && outcome == "I") isDone = true;                                                                         // step 12
  }

  void requestQuote(const std::string& quoteType) {
    FIX44::QuoteRequest request((FIX::QuoteReqID("Q" + number())));
    // Typed: QuickFIX writes the fields of the group in the order of the specification.
    FIX44::QuoteRequest::NoRelatedSym symbol;
    for (auto& field : Fields{{55, PAIR}, {537, quoteType}, {54, "1"}, {38, "10000"}, {15, "EUR"}}) symbol.setField(field.first, field.second);
    request.addGroup(symbol);
    send(request);
  }

  void order(const Fields& more) {
    FIX::Message order;
    order.getHeader().setField(FIX::FIELD::MsgType, "D");
    const std::string id = "O" + std::to_string(++orders_);
    for (auto& field : Fields{{11, id}, {55, PAIR}, {54, "1"}, {38, "10000"}, {15, "EUR"}}) order.setField(field.first, field.second);
    for (auto& field : more) order.setField(field.first, field.second);
    order.setField(FIX::TransactTime(3));
    send(order);
  }

  void renew() {
    FIX::Message request;
    request.getHeader().setField(FIX::FIELD::MsgType, "BE");
    for (auto& field : Fields{{923, "U1"}, {924, "1"}, {553, key_}, {554, secret_}}) request.setField(field.first, field.second);
    FIX::Session::sendToTarget(request, session_);
  }

  // The order of step 10, whose report came after the new connection.
  void status() {
    FIX::Message request;
    request.getHeader().setField(FIX::FIELD::MsgType, "H");
    for (auto& field : Fields{{11, "O3"}, {55, PAIR}, {54, "1"}}) request.setField(field.first, field.second);
    send(request);
  }

  void send(FIX::Message& message) {
    message.setField(AUTH_TOKEN, token_);
    FIX::Session::sendToTarget(message, session_);
  }

  std::string number() { return std::to_string(++ids_); }

  const std::string key_, secret_;
  std::string token_;
  FIX::SessionID session_;
  double offer_ = 0;
  int ids_ = 0, orders_ = 0;
};

int main(int count, char** values) {
  if (count != 4) {
    std::cerr << "usage: certification-desk <settings file> <client key> <client secret>" << std::endl;
    return 2;
  }
  try {
    FIX::SessionSettings settings(values[1]);
    Desk desk(values[2], values[3]);
    FIX::FileStoreFactory store(settings);
    FIX::FileLogFactory log(settings);
    FIX::SocketInitiator initiator(desk, store, settings, log);
    initiator.start();
    const auto late = std::chrono::steady_clock::now() + std::chrono::minutes(10);
    while (!desk.isDone && std::chrono::steady_clock::now() < late) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    // Logout(5), and the answer to it.
    initiator.stop();
    std::cout << (desk.isDone ? "done" : "the script did not reach its end") << std::endl;
    return desk.isDone ? 0 : 1;
  } catch (std::exception& fault) {
    std::cerr << fault.what() << std::endl;
    return 2;
  }
}
