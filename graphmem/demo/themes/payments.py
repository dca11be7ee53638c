"""쇼핑몰: payments that do not go through, in Korean. Hides `payment-retry`, which goes with failure."""

from __future__ import annotations

from graphmem.demo.theme import Action, Cast, Move, Scene, Task, Theme

_ACTIONS = {
    "결제 재시도": Action(
        tools=("결제대행",),
        why=("한 번 더 결제를 시도한다.", "일시적인 오류일 수 있으니 다시 시도한다."),
        good=("결제가 승인되었다.", "{amount}원이 정상 결제되었다."),
        bad=("카드사가 승인을 거절했다.", "또 승인이 거절되었다."),
        arguments={"할부": (True, False), "결제수단": ("신용카드", "체크카드", "간편결제")},
    ),
    "한도 확인": Action(
        tools=("카드조회",),
        why=("한도가 부족한 것은 아닌지 확인한다.",),
        good=("남은 한도가 {amount}원이다.", "한도에는 문제가 없다."),
        bad=("카드사 점검 시간이라 조회되지 않는다.",),
    ),
    "결제수단 변경": Action(
        tools=("주문관리",),
        why=("다른 카드나 계좌이체를 권한다.", "같은 카드로는 어려우니 수단을 바꾼다."),
        good=("고객이 계좌이체를 선택했다.", "다른 카드로 바꾸었다."),
        bad=("고객에게 다른 카드가 없다.",),
    ),
    "쿠폰 적용": Action(
        tools=("주문관리",),
        why=("빠진 쿠폰을 적용한다.",),
        good=("쿠폰이 적용되어 {amount}원이 되었다.",),
        bad=("이미 사용한 쿠폰이다.",),
    ),
    "주문 조회": Action(
        tools=("주문관리",),
        why=("주문 {order}의 결제 상태를 본다.",),
        good=("결제 대기 상태이다.", "주문 {order}은(는) {amount}원이다."),
        bad=("주문 번호가 맞지 않는다.",),
    ),
    "고객 안내": Action(
        tools=("채팅",),
        why=("지금 상황과 다음 순서를 알린다.",),
        good=("고객이 이해했다고 답했다.", "안내문을 보냈다."),
        bad=("고객이 창을 닫았다.",),
    ),
}

_DECLINED = Move("결제 재시도", errors=("승인거절",), effective=False)

PAYMENTS = Theme(
    key="payment",
    domain="쇼핑몰",
    language="ko",
    size=28,
    cast=Cast("payment-retry", success=1, partial=0, failure=11),
    other_success=0.72,
    versioned=False,
    tasks=(
        Task(
            "결제-카드오류",
            (
                ("주문 {order}의 카드 결제 오류 해결", "카드로 결제가 안 돼요."),
                ("결제 대기 중인 주문 {order} 마무리", "결제 화면에서 자꾸 오류가 납니다."),
            ),
        ),
        Task("결제-할부", (("{amount}원 할부 결제 도움", "할부로 하고 싶은데 승인이 안 납니다."),)),
        Task("결제-간편결제", (("간편결제 등록 오류 해결", "간편결제에 카드를 등록할 수 없어요."),)),
    ),
    one_offs=(
        ("주문 {order} 현금영수증 발급", "현금영수증을 깜빡했어요."),
        ("이중 결제된 {amount}원 확인", "같은 주문이 두 번 결제된 것 같아요."),
    ),
    slots={
        "order": ("P#####", "P####"),
        "amount": ("##,###", "1##,000"),
    },
    actions=_ACTIONS,
    fillers=("쿠폰 적용", "주문 조회", "고객 안내"),
    planted=(
        Scene((_DECLINED, _DECLINED, _DECLINED), lessons=("승인이 거절되면 같은 카드로 거듭 시도하지 않는다.",)),
        Scene((_DECLINED, _DECLINED, _DECLINED, Move("한도 확인"))),
    ),
    decoys=(
        Scene((_DECLINED, Move("결제수단 변경", fixes=("승인거절",)), Move("결제 재시도"))),
        Scene(
            (_DECLINED, Move("한도 확인", fixes=("한도초과",)), Move("결제 재시도")),
            causes=(("승인거절", "한도초과"),),
        ),
        Scene((Move("한도 확인"), Move("결제 재시도"), Move("결제수단 변경"), _DECLINED)),
    ),
    stray_errors=("승인거절", "본인인증실패"),
    stray_concepts=("할부", "간편결제", "카드 한도"),
    ambient=("할부", "적립금"),
    endings={
        "success": ("{amount}원 결제가 끝났다.", "주문 {order}의 결제가 확인되었다."),
        "partial": ("주문은 살아 있으나 결제는 내일로 미루었다.",),
        "failure": ("결제하지 못해 주문이 취소되었다.", "고객이 주문을 포기했다."),
    },
    lessons={
        "success": ("거절 사유를 먼저 묻는다.",),
        "failure": ("거절이 쌓이면 카드가 잠긴다.",),
    },
    tags=("결제", "카드", "고객지원"),
)
