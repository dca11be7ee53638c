"""쇼핑몰: exchanging large goods, in Korean. Hides `appliance-exchange`, visible only at 가전."""

from __future__ import annotations

from graphmem.demo.taxonomy import APPLIANCES, FURNITURE
from graphmem.demo.theme import Action, Cast, Move, Scene, Task, Theme

_ACTIONS = {
    "교환 접수": Action(
        tools=("교환관리",),
        why=("{item}을(를) 교환 대상으로 등록한다.", "사진으로 하자를 확인했으니 교환을 접수한다."),
        good=("교환 번호 {ticket}이(가) 발급되었다.", "{item} 교환이 접수되었다."),
        bad=("교환 기간이 지나 접수되지 않았다.",),
        arguments={"사유": ("파손", "불량", "오배송", "변심")},
    ),
    "설치기사 예약": Action(
        tools=("기사배정",),
        why=("기사 방문일이 정해져야 수거와 설치를 한 번에 할 수 있다.", "가장 빠른 방문일을 잡는다."),
        good=("{day} 오전 방문으로 예약했다.", "기사 한 명이 배정되었다."),
        bad=("이번 주에는 빈 시간이 없다.",),
        arguments={"방문시간": ("오전", "오후")},
    ),
    "수거 요청": Action(
        tools=("배송관리",),
        why=("받은 {item}을(를) 먼저 회수한다.", "수거가 끝나야 새 상품이 나간다."),
        good=("{day}에 수거하기로 했다.", "수거 송장이 나왔다."),
        bad=("택배사가 무게 때문에 수거를 거절했다.",),
    ),
    "재고 확인": Action(
        tools=("재고관리",),
        why=("같은 {item}이(가) 남아 있는지 본다.",),
        good=("창고에 재고가 {count}개 남아 있다.", "같은 색상이 있다."),
        bad=("재고가 없다.",),
    ),
    "사진 요청": Action(
        tools=("채팅",),
        why=("파손 부위를 눈으로 확인해야 한다.",),
        good=("고객이 사진 두 장을 보냈다.",),
        bad=("사진이 흐려서 알아볼 수 없다.",),
    ),
    "배송 조회": Action(
        tools=("배송관리",),
        why=("주문 {ticket}의 배송 상태를 확인한다.",),
        good=("어제 배송이 완료되었다.", "물류센터에서 출발했다."),
        bad=("송장 번호가 조회되지 않는다.",),
    ),
    "안내 문자 발송": Action(
        tools=("문자",),
        why=("진행 상황을 문자로 알린다.",),
        good=("안내 문자를 보냈다.",),
        bad=("문자가 전송되지 않았다.",),
    ),
}

_APPLIANCE = ("{appliance}",)
_FURNITURE = ("{furniture}",)
_OF_APPLIANCE = {"item": "{appliance}"}
_OF_FURNITURE = {"item": "{furniture}"}

EXCHANGES = Theme(
    key="exchange",
    domain="쇼핑몰",
    language="ko",
    size=36,
    cast=Cast("appliance-exchange", success=17, partial=0, failure=1),
    other_success=0.25,
    versioned=False,
    tasks=(
        Task(
            "교환-파손",
            (
                ("파손된 {item} 교환", "{item}에 흠집이 난 채로 왔어요."),
                ("배송 중 파손된 {item} 처리", "상자를 열어 보니 {item} 모서리가 깨져 있습니다."),
            ),
        ),
        Task("교환-불량", (("불량 {item} 교환", "어제 받은 {item}이(가) 이상합니다."),)),
        Task("교환-색상", (("다른 색상의 {item}으로(로) 교환", "주문한 색상과 다른 {item}이(가) 왔어요."),)),
        Task("교환-크기", (("집에 맞지 않는 {item} 교환", "{item}이(가) 너무 커서 들어가지 않아요."),)),
    ),
    one_offs=(
        ("주문 {ticket} 배송지 변경", "이사를 해서 배송지를 바꾸고 싶어요."),
        ("주문 {ticket} 묶음 배송 요청", "두 주문을 함께 받을 수 있나요?"),
        ("{item} 보증 기간 안내", "{item} 무상 수리는 언제까지인가요?"),
    ),
    slots={
        "item": ("제품", "상품", "물건"),
        "appliance": APPLIANCES,
        "furniture": FURNITURE,
        "ticket": ("S#####", "E####"),
        "day": ("3월 1#일", "4월 2#일", "5월 #일"),
        "count": ("3", "7", "12"),
    },
    actions=_ACTIONS,
    fillers=("사진 요청", "배송 조회", "안내 문자 발송", "재고 확인"),
    planted=(
        Scene(
            (Move("교환 접수", concepts=_APPLIANCE), Move("설치기사 예약"), Move("수거 요청")),
            slots=_OF_APPLIANCE,
            lessons=("가전은 교환을 접수하자마자 설치기사부터 예약한다.",),
        ),
        Scene(
            (
                Move("교환 접수", concepts=_APPLIANCE),
                Move("설치기사 예약", concepts=("설치기사 방문",)),
                Move("안내 문자 발송"),
            ),
            slots=_OF_APPLIANCE,
            lessons=("기사 방문일에 수거와 설치를 함께 하면 다시 문의하지 않는다.",),
        ),
    ),
    decoys=(
        Scene(
            (Move("교환 접수", concepts=_FURNITURE), Move("설치기사 예약"), Move("수거 요청")),
            slots=_OF_FURNITURE,
        ),
        Scene(
            (
                Move("교환 접수", concepts=_APPLIANCE),
                Move("수거 요청", errors=("수거거절",), effective=False),
                Move("설치기사 예약"),
            ),
            slots=_OF_APPLIANCE,
        ),
        Scene(
            (Move("설치기사 예약"), Move("교환 접수", concepts=_APPLIANCE), Move("재고 확인")),
            slots=_OF_APPLIANCE,
        ),
        Scene(
            (Move("수거 요청", concepts=_APPLIANCE, errors=("수거거절",), effective=False), Move("교환 접수")),
            slots=_OF_APPLIANCE,
        ),
    ),
    stray_errors=("수거거절", "재고없음", "배송지연"),
    stray_concepts=("교환 기간", "{furniture}", "{appliance}", "설치기사 방문"),
    ambient=("교환 기간", "배송비", "보증 기간"),
    endings={
        "success": ("{item} 교환이 끝났다.", "새 {item}을(를) 설치하고 기존 제품을 회수했다."),
        "partial": ("수거는 했으나 새 {item}은(는) 다음 주에 나간다.",),
        "failure": ("고객이 교환을 포기하고 불만을 남겼다.", "방문 약속이 두 번 어긋나 주문이 취소되었다."),
    },
    lessons={
        "success": ("사진을 먼저 받으면 판단이 빠르다.",),
        "failure": ("큰 상품은 일반 택배로 수거할 수 없다.", "재고를 보지 않고 교환을 약속하지 않는다."),
    },
    tags=("교환", "배송", "고객지원"),
)
