//! The modes' own keys: what they become, and what compares nothing.

use breakwater::config::{Mode, OnDisagreement, Quorum};
use breakwater::method::{Effect, effect};

use crate::{config, fault};

const ENDPOINTS: &str = "chain_id = 1\nendpoints = [\
    { name = \"a\", url = \"https://a.example\", weight = 7 }, \
    { name = \"b\", url = \"https://b.example\" }, \
    { name = \"c\", url = \"https://c.example\", methods = { deny = [\"eth_getLogs\", \"eth_getProof\"] } }, \
    { name = \"d\", url = \"https://d.example\", methods = { deny = [\"eth_getLogs\"] } }]\n";

fn table(keys: &str) -> String {
    format!("[ROUTE_A]\n{ENDPOINTS}{keys}\n")
}

fn quorum(inside: &str) -> String {
    table(&format!("mode = \"quorum\"\nquorum = {{ {inside} }}"))
}

#[test]
fn they_arrive() {
    let mut all = config(&table("mode = \"weighted\"\nhedge_after_ms = 300"));
    assert_eq!(all.faults, []);
    let route = all.routes.remove(0);
    assert_eq!((route.mode, route.hedge_after_ms, route.quorum), (Mode::Weighted, 300, None));
    assert_eq!(route.endpoints.iter().map(|e| e.weight).collect::<Vec<_>>(), [7, 1, 1, 1]);
    let inside = "threshold = 2, of = 3, methods = [\"eth_call\", \"debug_*\"], on_disagreement = \"best_effort\"";
    let route = config(&quorum(inside)).routes.remove(0);
    let wanted = Quorum {
        threshold: 2,
        of: 3,
        methods: vec!["eth_call".into(), "debug_*".into()],
        on_disagreement: OnDisagreement::BestEffort,
    };
    assert_eq!((route.mode, route.quorum.as_ref()), (Mode::Quorum, Some(&wanted)));
    let read = |method: &str| route.quorum.as_ref().is_some_and(|q| q.compares(method));
    assert!(read("eth_call") && read("debug_traceCall") && !read("eth_getCode"));
}

#[test]
fn a_quorum_that_compares_nothing_is_refused_in_one_sentence() {
    let ok = "threshold = 2, of = 3, methods = [\"eth_call\"]";
    assert_eq!(config(&quorum(ok)).faults, []);
    for (inside, message) in [
        (
            "threshold = 1, of = 3, methods = [\"eth_call\"]",
            ".threshold: must be at least 2: with less nothing is compared",
        ),
        (
            "of = 3, methods = [\"eth_call\"]",
            ".threshold: must be at least 2: with less nothing is compared",
        ),
        (
            "threshold = 3, of = 2, methods = [\"eth_call\"]",
            ".of: must be at least threshold: else it can never be reached",
        ),
        (
            "threshold = 2, methods = [\"eth_call\"]",
            ".of: must be at least threshold: else it can never be reached",
        ),
        (
            "threshold = 2, of = 5, methods = [\"eth_call\"]",
            ".of: is more than the route has endpoints",
        ),
        (
            "threshold = 2, of = 3, methods = []",
            ".methods: names no method, so nothing is compared",
        ),
        ("threshold = 2, of = 3", ".methods: names no method, so nothing is compared"),
        (
            "threshold = 2, of = 3, methods = [\"eth_call\", \"eth_sendUserOperation\"]",
            ".methods[1]: must not be asked twice, so it cannot be compared",
        ),
        (
            "threshold = 2, of = 3, methods = [\"personal_sign\"]",
            ".methods[0]: must not be asked twice, so it cannot be compared",
        ),
        (
            "threshold = 2, of = 3, methods = [\"anvil_*\"]",
            ".methods[0]: must not be asked twice, so it cannot be compared",
        ),
        (
            "threshold = 2, of = 3, methods = [\"eth_newFilter\"]",
            ".methods[0]: cannot be compared: one endpoint, or the Worker itself, answers it",
        ),
        (
            "threshold = 2, of = 3, methods = [\"eth_chainId\"]",
            ".methods[0]: cannot be compared: one endpoint, or the Worker itself, answers it",
        ),
        (
            "threshold = 3, of = 3, methods = [\"eth_getLogs\"]",
            ".methods[0]: fewer endpoints than threshold serve it, so it can never agree",
        ),
        (
            "threshold = 2, of = 3, methods = [\"*\"]",
            ".methods[0]: must be a method's name or prefix_*, with _ before the *",
        ),
        (
            "threshold = 2, of = 3, methods = [\"eth_call\"], on_disagreement = \"shrug\"",
            ".on_disagreement: must be one of \"fail\", \"best_effort\"",
        ),
        (
            "threshold = 2, of = 3, methods = [\"eth_call\"], weights = 1",
            ".weights: is not a known key",
        ),
    ] {
        assert_eq!(fault(&quorum(inside)).1, format!("ROUTE_A.quorum{message}"), "{inside}");
    }
    assert_eq!(
        fault(&table("mode = \"quorum\"")).1,
        "ROUTE_A.quorum: is missing: mode = \"quorum\" needs it"
    );
    assert_eq!(
        fault(&table(&format!("quorum = {{ {ok} }}"))).1,
        "ROUTE_A.quorum: is without effect unless mode = \"quorum\""
    );
}

#[test]
fn what_must_not_be_repeated_is_refused_by_name() {
    for method in [
        "eth_sendTransaction",
        "eth_sendPrivateTransaction",
        "eth_sendBundle",
        "eth_submitWork",
        "eth_signTransaction",
        "eth_resend",
        "mev_sendBundle",
        "evm_mine",
        "hardhat_reset",
        "debug_setHead",
        "admin_addPeer",
        "engine_newPayloadV3",
        "parity_postTransaction",
        "wallet_sendCalls",
        "tenderly_setBalance",
        "miner_start",
    ] {
        assert_eq!(effect(method), Effect::Once, "{method}");
        let inside = format!("threshold = 2, of = 3, methods = [\"{method}\"]");
        assert!(fault(&quorum(&inside)).1.contains("must not be asked twice"), "{method}");
    }
    let send = "threshold = 2, of = 3, methods = [\"eth_sendRawTransaction\"]";
    assert_eq!(config(&quorum(send)).faults, []);
}

#[test]
fn weights_and_hedging_have_their_ranges() {
    for (keys, message) in [
        (
            "hedge_after_ms = -1",
            "ROUTE_A.hedge_after_ms: must be a whole number from 0 to 86400000",
        ),
        (
            "mode = \"fastest\"",
            "ROUTE_A.mode: must be one of \"ordered\", \"weighted\", \"quorum\"",
        ),
    ] {
        assert_eq!(fault(&table(keys)).1, message);
    }
    for weight in ["0", "101", "1.5", "\"2\""] {
        let toml = table("").replace("weight = 7", &format!("weight = {weight}"));
        let message = "ROUTE_A.endpoints[0].weight: must be a whole number from 1 to 100";
        assert_eq!(fault(&toml).1, message);
    }
}
